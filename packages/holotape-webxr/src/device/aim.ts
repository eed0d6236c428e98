/** The target ray of a hand. */

import { isDrawablePose } from "../../../../web/src/recording/drawable";
import type { Hand } from "../../../../web/src/recording/joints";
import type { Pose, Vector } from "../../../../web/src/recording/sampler";
import { difference, lookRotation, rotated, sum, yawOf } from "./space";

/** From the eyes to the shoulder of a user who faces -z. */
const SHOULDER: Readonly<Record<Hand, Vector>> = { left: [-0.17, -0.2, 0], right: [0.17, -0.2, 0] };

/**
 * The ray starts at the index knuckle, which a pinch does not move, and points away from the shoulder, like those of headsets: wrist tremor
 * then rotates it little. Without a head, it points away from the wrist.
 */
export function aimOf(hand: Hand, knuckle: Pose | null, wrist: Pose | null, head: Pose | null): Pose | null {
  const isHead = head !== null && isDrawablePose(head);
  const rayOrigin = isHead ? sum(head.position, rotated(yawOf(head.rotation), SHOULDER[hand])) : wrist?.position;
  if (knuckle === null || rayOrigin === undefined) {
    return null;
  }
  const rotation = lookRotation(difference(knuckle.position, rayOrigin));
  return rotation && { position: knuckle.position, rotation };
}
