/** Recordings can hold any number: which of them are places. */

import type { Pose, Vector } from "./sampler";

/** Beyond this, in metres, nothing can be drawn or compared in a way that makes sense. */
const MAX_DISTANCE_METRES = 1e4;

export function isDrawable(point: Vector): boolean {
  return point.every((value) => Math.abs(value) < MAX_DISTANCE_METRES);
}

/** A head that points nowhere can neither be drawn nor looked through. */
export function isDrawablePose({ position, rotation }: Pose): boolean {
  return isDrawable(position) && rotation.every(Number.isFinite);
}
