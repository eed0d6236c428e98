/** How far two recordings have the head and the joints of hands turned from each other. */

import { HANDS, JOINTS } from "./joints";
import type { Frame, Pose, Quaternion } from "./sampler";

export interface RotationDifference {
  /** `camera`, `left.IndexTip`. */
  readonly subject: string;
  readonly degrees: number;
}

/** Of everything that both have. */
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

/** By sum and difference, which is exact for small angles; a quaternion and its negative are the same rotation. */
function degreesBetween(a: Quaternion, b: Quaternion): number {
  const length = (sign: number) => Math.hypot(...a.map((value, n) => value + sign * (b[n] as number)));
  const [sum, difference] = [length(1), length(-1)];
  return (4 * Math.atan2(Math.min(sum, difference), Math.max(sum, difference)) * 180) / Math.PI;
}
