/** Distances between the joints of two recordings. */

import { isDrawable } from "./drawable";
import { HANDS, type Hand, JOINTS } from "./joints";
import type { Vector } from "./sampler";

/** The position of a joint in a frame of a recording. */
export type JointPositionFn = (hand: Hand, joint: number) => Vector | null | undefined;

export interface JointDistance {
  readonly hand: Hand;
  readonly joint: number;
  readonly a: Vector;
  readonly b: Vector;
  readonly millimetres: number;
}

const COMPARED = JOINTS.flatMap((name, joint) => (name === "None" ? [] : [joint]));

/** The distances of all joints that both have. */
export function distancesBetween(positionInA: JointPositionFn, positionInB: JointPositionFn): JointDistance[] {
  return HANDS.flatMap((hand) =>
    COMPARED.flatMap((joint) => {
      const a = positionInA(hand, joint);
      const b = a && positionInB(hand, joint);
      return a && b && isDrawable(a) && isDrawable(b) ? [{ hand, joint, a, b, millimetres: millimetresOf(a, b) }] : [];
    }),
  );
}

/** `null` if there are no distances. */
export function meanMmOf(distances: readonly JointDistance[]): number | null {
  const sum = distances.reduce((total, { millimetres }) => total + millimetres, 0);
  return distances.length === 0 ? null : sum / distances.length;
}

function millimetresOf(a: Vector, b: Vector): number {
  return 1000 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
