/**
 * Conversion between WebXR (right-handed, z backward, 25 joints without a palm) and Unity (left-handed, z forward, MRTK's 27 joints). In
 * both, the z axis of a joint points along its bone.
 */

import { WEBXR_JOINT_INDICES, WEBXR_JOINT_RADII, WEBXR_JOINTS as WEBXR_NAMES } from "../generated/joints";
import type { Pose, Quaternion, Vector } from "./sampler";

/** The joints of a WebXR hand, in the order of the specification. */
export const WEBXR_JOINTS: readonly XRHandJoint[] = WEBXR_NAMES;

/** The index in `JOINTS` for an index in `WEBXR_JOINTS`. */
export function mrtkJointIndex(index: number): number {
  return WEBXR_JOINT_INDICES[index] ?? 0;
}

/** A typical radius of a joint in metres: recordings have none. */
export function typicalRadius(joint: XRHandJoint): number {
  return WEBXR_JOINT_RADII[WEBXR_JOINTS.indexOf(joint)] ?? 0;
}

/** Converts a point or direction between left- and right-handed coordinates. */
export function flipHandedness([x, y, z]: Readonly<Vector>): Vector {
  return [x, y, -z];
}

/** Converts a rotation between left- and right-handed coordinates. */
export function flipRotationHandedness([x, y, z, w]: Readonly<Quaternion>): Quaternion {
  return [-x, -y, z, w];
}

export function flipPoseHandedness({ position, rotation }: Pose): Pose {
  return { position: flipHandedness(position), rotation: flipRotationHandedness(rotation) };
}

/** WebXR has no palm joint. OpenXR puts it in the middle of the middle finger's metacarpal bone, with the same rotation. */
export function derivePalm(middleMetacarpal: Pose, middleKnuckle: Pose): Pose {
  const [a, b] = [middleMetacarpal.position, middleKnuckle.position];
  return {
    position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2],
    rotation: middleMetacarpal.rotation,
  };
}
