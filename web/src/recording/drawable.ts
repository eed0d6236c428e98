/** Detects non-finite and absurd positions, which recordings can contain. */

import type { Pose, Vector } from "./sampler";

const MAX_DISTANCE_METRES = 1e4;

export function isDrawable(point: Vector): boolean {
  return point.every((value) => Math.abs(value) < MAX_DISTANCE_METRES);
}

/** A pose with a non-finite rotation cannot be drawn or looked through. */
export function isDrawablePose({ position, rotation }: Pose): boolean {
  return isDrawable(position) && rotation.every(Number.isFinite);
}
