/** How far two takes are apart: joint by joint, in lines, colours and numbers. */

import { Color, type Object3D, Vector3 } from "three";
import { type JointDistance, type JointPlaces, meanMmOf } from "../tape/distances";
import { HANDS, type Hand, JOINT_COUNT, JOINTS } from "../tape/joints";
import type { Frame } from "../tape/sampler";
import type { Palette } from "./palette";
import { toScene } from "./space";
import { Strokes } from "./strokes";

/** So far apart and more has the last colour of the scale. */
export const FULL_SCALE_MM = 20;

export interface Summary {
  readonly meanMm: number;
  readonly largestMm: number;
  /** The joint that is farthest apart: `left.IndexTip`. */
  readonly at: string;
}

/** Where the joints are in a frame. */
export function placesIn(frame: Frame): JointPlaces {
  return (hand, joint) => frame[hand]?.joints[joint]?.position;
}

export function summaryOf(distances: readonly JointDistance[]): Summary | null {
  const [first] = distances;
  const meanMm = meanMmOf(distances);
  if (first === undefined || meanMm === null) {
    return null;
  }
  const largest = distances.reduce((most, next) => (next.millimetres > most.millimetres ? next : most), first);
  const at = `${largest.hand}.${JOINTS[largest.joint]}`;
  return { meanMm, largestMm: largest.millimetres, at };
}

export class DifferenceView {
  private readonly strokes = new Strokes(HANDS.length * JOINT_COUNT, true);
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly paint = new Color();

  /** Draws lines from where the first take has the joints to where the second has them, beside the second. */
  show(distances: readonly JointDistance[], beside: Object3D | null, palette: Palette): void {
    this.strokes.clear();
    for (const { a, b, millimetres } of distances) {
      const paint = heat(palette, millimetres, this.paint);
      this.strokes.line(toScene(a, this.from), toScene(b, this.to), paint, 0.9, 0.9, 2.5);
    }
    this.strokes.commit();
    beside?.add(this.strokes.mesh);
  }
}

export function heat(palette: Palette, millimetres: number, into: Color): Color {
  return palette.heat(Math.min(millimetres / FULL_SCALE_MM, 1), into);
}

/** The colour of each joint of the second take, for what both have; of the others nothing is known. */
export function heatOfJoints(distances: readonly JointDistance[], palette: Palette) {
  const known = new Map(distances.map(({ hand, joint, millimetres }) => [`${hand}.${joint}`, millimetres]));
  return (hand: Hand, joint: number, into: Color): Color => {
    const millimetres = known.get(`${hand}.${joint}`);
    return millimetres === undefined ? into.copy(palette.of("muted")) : heat(palette, millimetres, into);
  };
}
