/**
 * Between WebXR (right-handed, z backward, 25 joints without a palm) and Unity (left-handed, z forward, MRTK's 27). Joints of both have z
 * along the bone, turned over with the space.
 */

import { FINGERS, jointIndex } from "./joints";
import type { Pose, Quaternion, Vector } from "./sampler";

const WEBXR_FINGERS = ["thumb", "index-finger", "middle-finger", "ring-finger", "pinky-finger"] as const;
const WEBXR_BONES = ["metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip"] as const;

/** The joints of a hand in WebXR, in its order. */
export const WEBXR_JOINTS: readonly XRHandJoint[] = [
  "wrist",
  ...FINGERS.flatMap((finger, n) => {
    const parts = WEBXR_BONES.filter((part) => finger !== "Thumb" || part !== "phalanx-intermediate");
    return parts.map((part) => `${WEBXR_FINGERS[n]}-${part}` as XRHandJoint);
  }),
];

/** MRTK's joint, as a place in `JOINTS`, for a place in `WEBXR_JOINTS`. */
export function mrtkJointIndex(index: number): number {
  return index === 0 ? jointIndex("Wrist") : index + 2;
}

/** A point or a direction, turned over: the same way there and back. */
export function flipHandedness([x, y, z]: Readonly<Vector>): Vector {
  return [x, y, -z];
}

/** A rotation, turned over: the same way there and back. */
export function flipRotationHandedness([x, y, z, w]: Readonly<Quaternion>): Quaternion {
  return [-x, -y, z, w];
}

export function flipPoseHandedness({ position, rotation }: Pose): Pose {
  return { position: flipHandedness(position), rotation: flipRotationHandedness(rotation) };
}

/** The palm that WebXR does not have, where OpenXR has it: in the middle of the middle finger's metacarpal bone, turned like it. */
export function derivePalm(middleMetacarpal: Pose, middleKnuckle: Pose): Pose {
  const [a, b] = [middleMetacarpal.position, middleKnuckle.position];
  return {
    position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2],
    rotation: middleMetacarpal.rotation,
  };
}
