/** Where the fingertips have been. */

import type { Color, Vector3 } from "three";
import type { Hand } from "../tape/joints";
import type { Motion } from "../tape/sampler";
import { TIPS } from "./skeleton";
import { place } from "./space";
import type { Strokes } from "./strokes";

const TRAIL_SECS = 1.5;
const TRAIL_STEPS = 60;

/** How many lines the trails of both hands are. */
export const TRAIL_STROKES = 2 * TIPS.length * TRAIL_STEPS;

export function drawTrails(sampler: Motion, hand: Hand, time: number, paint: Color, strokes: Strokes): void {
  for (const tip of TIPS) {
    const at = (n: number, into: Vector3) => {
      const past = time - TRAIL_SECS * (1 - n / (TRAIL_STEPS - 1));
      return past >= 0 && place(into, sampler.jointAt(hand, tip, past));
    };
    strokes.fading(TRAIL_STEPS, at, paint, 0.85, 2.4);
  }
}
