/** Recordings can hold any number: which of them are places. */

import type { Pose, Vector } from "./sampler";

/** Beyond this, in metres, nothing can be drawn or compared in a way that makes sense. */
const FARTHEST = 1e4;

export function isPlaceable(point: Vector): boolean {
  return point.every((value) => Math.abs(value) < FARTHEST);
}

/** A head that points nowhere can neither be drawn nor looked through. */
export function isPlaceablePose({ position, rotation }: Pose): boolean {
  return isPlaceable(position) && rotation.every(Number.isFinite);
}
