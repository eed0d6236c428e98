/** Where a hand points: the target ray of its input source. */

import { isDrawablePose } from "../../../../web/src/recording/drawable";
import type { Hand } from "../../../../web/src/recording/joints";
import type { Pose, Vector } from "../../../../web/src/recording/sampler";
import { difference, lookRotation, rotated, sum, yawOf } from "./space";

/** From the eyes to the shoulder of somebody who faces -z. */
const SHOULDER: Readonly<Record<Hand, Vector>> = { left: [-0.17, -0.2, 0], right: [0.17, -0.2, 0] };

/**
 * From the knuckle of the index finger, which a pinch does not move, away from the shoulder, as headsets have it: a shaking wrist then turns it
 * little. Without a head there is no shoulder; then away from the wrist.
 */
export function aimOf(hand: Hand, knuckle: Pose | null, wrist: Pose | null, head: Pose | null): Pose | null {
  const isHead = head !== null && isDrawablePose(head);
  const behind = isHead ? sum(head.position, rotated(yawOf(head.rotation), SHOULDER[hand])) : wrist?.position;
  if (knuckle === null || behind === undefined) {
    return null;
  }
  const rotation = lookRotation(difference(knuckle.position, behind));
  return rotation && { position: knuckle.position, rotation };
}
