/** The trails of the fingertips. */

import type { Color, Vector3 } from "three";
import type { Hand } from "../recording/joints";
import type { MotionSource } from "../recording/sampler";
import type { LineBatch } from "./line-batch";
import { TIPS } from "./skeleton";
import { setPoint } from "./space";

const TRAIL_SECS = 1.5;
const TRAIL_STEPS = 60;

/** The number of lines for both hands. */
export const TRAIL_LINES = 2 * TIPS.length * TRAIL_STEPS;

export function drawTrails(sampler: MotionSource, hand: Hand, time: number, paint: Color, lines: LineBatch): void {
  for (const tip of TIPS) {
    const at = (n: number, into: Vector3) => {
      const pastTime = time - TRAIL_SECS * (1 - n / (TRAIL_STEPS - 1));
      return pastTime >= 0 && setPoint(into, sampler.jointAt(hand, tip, pastTime));
    };
    lines.fading(TRAIL_STEPS, at, paint, 0.85, 2.4);
  }
}
