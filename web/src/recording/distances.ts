/** How far apart two recordings have the joints of hands. */

import { isDrawable } from "./drawable";
import { HANDS, type Hand, JOINTS } from "./joints";
import type { Vector } from "./sampler";

/** Where a recording has a joint at some moment. */
export type JointPositionFn = (hand: Hand, joint: number) => Vector | null | undefined;

export interface JointDistance {
  readonly hand: Hand;
  readonly joint: number;
  readonly a: Vector;
  readonly b: Vector;
  readonly millimetres: number;
}

const COMPARED = JOINTS.flatMap((name, joint) => (name === "None" ? [] : [joint]));

/** Of all joints that both have. */
export function distancesBetween(positionInA: JointPositionFn, positionInB: JointPositionFn): JointDistance[] {
  return HANDS.flatMap((hand) =>
    COMPARED.flatMap((joint) => {
      const a = positionInA(hand, joint);
      const b = a && positionInB(hand, joint);
      return a && b && isDrawable(a) && isDrawable(b) ? [{ hand, joint, a, b, millimetres: millimetresOf(a, b) }] : [];
    }),
  );
}

/** Nothing if there are none. */
export function meanMmOf(distances: readonly JointDistance[]): number | null {
  const sum = distances.reduce((total, { millimetres }) => total + millimetres, 0);
  return distances.length === 0 ? null : sum / distances.length;
}

function millimetresOf(a: Vector, b: Vector): number {
  return 1000 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
