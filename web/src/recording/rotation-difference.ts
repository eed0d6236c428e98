/** Differences between the rotations of head and joints in two recordings. */

import { HANDS, JOINTS } from "./joints";
import type { Frame, Pose, Quaternion } from "./sampler";

export interface RotationDifference {
  /** `camera`, `left.IndexTip`. */
  readonly subject: string;
  readonly degrees: number;
}

/** The differences of everything that both have. */
export function rotationDifferences(a: Frame, b: Frame): RotationDifference[] {
  const joints = HANDS.flatMap((hand) =>
    JOINTS.flatMap((name, n) =>
      name === "None" ? [] : differenceOf(`${hand}.${name}`, a[hand]?.joints[n], b[hand]?.joints[n]),
    ),
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
