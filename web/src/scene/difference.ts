/** Shows the difference between two recordings: joint by joint, as lines, colours and figures. */

import { Color, type Object3D, Vector3 } from "three";
import type { JointDistance, JointPositionFn } from "../recording/distances";
import { HANDS, type Hand, JOINT_COUNT, JOINTS } from "../recording/joints";
import type { RotationDifference } from "../recording/rotation-difference";
import type { Frame } from "../recording/sampler";
import { LineBatch } from "./line-batch";
import type { SceneColors } from "./scene-colors";
import { toScene } from "./space";

/** Distances from here on have the last colour of the scale. */
export const FULL_SCALE_MM = 20;

export interface DifferenceSummary {
  /** Of positions, in millimetres; `null` if no joint is in both. */
  readonly distance: DistanceStats | null;
  /** Of rotations, in degrees; `null` if neither the head nor a joint is in both. */
  readonly rotation: DistanceStats | null;
}

export interface DistanceStats {
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
  const places = distances.map(({ hand, joint, millimetres }) => [`${hand}.${JOINTS[joint]}`, millimetres] as const);
  return {
    distance: distanceStats(places),
    rotation: distanceStats(turns.map(({ subject, degrees }) => [subject, degrees] as const)),
  };
}

function distanceStats(values: readonly (readonly [string, number])[]): DistanceStats | null {
  const [first] = values;
  if (first === undefined) {
    return null;
  }
  const [at, largest] = values.reduce((most, next) => (next[1] > most[1] ? next : most), first);
  return { mean: values.reduce((sum, [, value]) => sum + value, 0) / values.length, max: largest, subject: at };
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

export function heatColor(colors: SceneColors, millimetres: number, into: Color): Color {
  return colors.heat(Math.min(millimetres / FULL_SCALE_MM, 1), into);
}

/** Returns a colour function for the joints of the second recording; joints that the first does not have are grey. */
export function heatOfJoints(distances: readonly JointDistance[], colors: SceneColors) {
  const known = new Map(distances.map(({ hand, joint, millimetres }) => [`${hand}.${joint}`, millimetres]));
  return (hand: Hand, joint: number, into: Color): Color => {
    const millimetres = known.get(`${hand}.${joint}`);
    return millimetres === undefined ? into.copy(colors.of("muted")) : heatColor(colors, millimetres, into);
  };
}
