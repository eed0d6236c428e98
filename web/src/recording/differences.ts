/** Differences between two recordings: the distances of joints, and the angles between rotations. */

import { isDrawable } from "./drawable";
import { HANDS, type Hand, JOINTS } from "./joints";
import type { Frame, Pose, Quaternion, Vector } from "./sampler";

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

export interface RotationDifference {
  /** `camera`, `left.IndexTip`. */
  readonly subject: string;
  readonly degrees: number;
}

/** The differences of everything that both have. */
export function rotationDifferences(a: Frame, b: Frame): RotationDifference[] {
  const joints = HANDS.flatMap((hand) =>
    COMPARED.flatMap((n) => differenceOf(`${hand}.${JOINTS[n]}`, a[hand]?.joints[n], b[hand]?.joints[n])),
  );
  return [...differenceOf("camera", a.camera, b.camera), ...joints];
}

function differenceOf(subject: string, a: Pose | null | undefined, b: Pose | null | undefined): RotationDifference[] {
  const degrees = a && b ? degreesBetween(a.rotation, b.rotation) : Number.NaN;
  return Number.isFinite(degrees) ? [{ subject, degrees }] : [];
}

/** Computed from sum and difference, which is accurate for small angles. q and -q are the same rotation. */
function degreesBetween(a: Quaternion, b: Quaternion): number {
  const length = (sign: number) => Math.hypot(...a.map((value, n) => value + sign * (b[n] as number)));
  const [sum, difference] = [length(1), length(-1)];
  return (4 * Math.atan2(Math.min(sum, difference), Math.max(sum, difference)) * 180) / Math.PI;
}
