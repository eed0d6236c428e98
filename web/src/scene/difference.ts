/** Shows the difference between two recordings: joint by joint, as lines, colours and figures. */

import { Color, type Object3D, Vector3 } from "three";
import type { JointDistance, JointPositionFn, RotationDifference } from "../recording/differences";
import { HANDS, type Hand, JOINT_COUNT, JOINTS } from "../recording/joints";
import type { Frame } from "../recording/sampler";
import { LineBatch } from "./line-batch";
import type { SceneColors } from "./scene-colors";
import { toScene } from "./space";

/** Distances from here on have the last colour of the scale. */
export const FULL_SCALE_MM = 20;

export interface DifferenceSummary {
  /** Of positions, in millimetres; `null` if no joint is in both. */
  readonly distance: DifferenceStats | null;
  /** Of rotations, in degrees; `null` if neither the head nor a joint is in both. */
  readonly rotation: DifferenceStats | null;
}

export interface DifferenceStats {
  readonly mean: number;
  readonly max: number;
  /** The joint or body part with the maximum: `left.IndexTip`. */
  readonly subject: string;
}

export function jointPositions(frame: Frame): JointPositionFn {
  return (hand, joint) => frame[hand]?.joints[joint]?.position;
}

export function summaryOf(
  distances: readonly JointDistance[],
  turns: readonly RotationDifference[],
): DifferenceSummary {
  return {
    distance: statsOf(distances.map(({ hand, joint, millimetres }) => [`${hand}.${JOINTS[joint]}`, millimetres])),
    rotation: statsOf(turns.map(({ subject, degrees }) => [subject, degrees])),
  };
}

function statsOf(values: readonly (readonly [subject: string, value: number])[]): DifferenceStats | null {
  const [first] = values;
  if (first === undefined) {
    return null;
  }
  const [subject, max] = values.reduce((most, next) => (next[1] > most[1] ? next : most), first);
  return { mean: values.reduce((sum, [, value]) => sum + value, 0) / values.length, max, subject };
}

export class DifferenceView {
  private readonly lines = new LineBatch(HANDS.length * JOINT_COUNT, true);
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly paint = new Color();

  /** Draws lines from the joints of the first recording to those of the second, in the group of the second. */
  show(distances: readonly JointDistance[], beside: Object3D | null, colors: SceneColors): void {
    this.lines.clear();
    for (const { a, b, millimetres } of distances) {
      const paint = heatColor(colors, millimetres, this.paint);
      this.lines.line(toScene(a, this.from), toScene(b, this.to), paint, 0.9, 0.9, 2.5);
    }
    this.lines.commit();
    beside?.add(this.lines.mesh);
  }
}

/** A gradient from the "ok" colour over "warning" to "error". */
function heatColor(colors: SceneColors, millimetres: number, into: Color): Color {
  const fraction = Math.min(millimetres / FULL_SCALE_MM, 1);
  return fraction < 0.5
    ? into.lerpColors(colors.of("ok"), colors.of("warning"), 2 * fraction)
    : into.lerpColors(colors.of("warning"), colors.of("error"), 2 * fraction - 1);
}

/** Returns a colour function for the joints of the second recording; joints that the first does not have are grey. */
export function heatOfJoints(distances: readonly JointDistance[], colors: SceneColors) {
  const known = new Map(distances.map(({ hand, joint, millimetres }) => [`${hand}.${joint}`, millimetres]));
  return (hand: Hand, joint: number, into: Color): Color => {
    const millimetres = known.get(`${hand}.${joint}`);
    return millimetres === undefined ? into.copy(colors.of("muted")) : heatColor(colors, millimetres, into);
  };
}
