/** Conversion between Unity's coordinates (left-handed, z forward) and those of three.js (right-handed, z backward). */

import type { Quaternion, Vector3 } from "three";
import { isDrawable } from "../recording/drawable";
import type { Quaternion as UnityQuaternion, Vector as UnityVector } from "../recording/sampler";

/** Writes a point. Returns false if it is missing or not drawable. */
export function setPoint(into: Vector3, point: UnityVector | null | undefined): boolean {
  if (!point || !isDrawable(point)) {
    return false;
  }
  toScene(point, into);
  return true;
}

export function toScene([x, y, z]: UnityVector, into: Vector3): Vector3 {
  return into.set(x, y, -z);
}

export function rotationToScene([x, y, z, w]: UnityQuaternion, into: Quaternion): Quaternion {
  return into.set(-x, -y, z, w);
}

export function toUnity({ x, y, z }: Vector3): UnityVector {
  return [x, y, -z];
}
