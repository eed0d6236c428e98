/** The gaze: a ray, a dot at its end, and the trail of the dot. */

import { type Color, Vector3 } from "three";
import type { Frame, MotionSource, Ray, Vector } from "../recording/sampler";
import type { LineBatch } from "./line-batch";
import { setPoint } from "./space";
import { DOT, GLOW, type SpriteBatch } from "./sprites";

/** The length of the ray. Recordings do not contain what the user looked at. */
const REACH_METRES = 2;
const TRAIL_SECS = 0.6;
const TRAIL_STEPS = 36;
/** The ray starts between the eyes, and would cross the visor without a gap. */
const START_GAP_METRES = 0.06;

export interface GazeStyle {
  readonly paint: Color;
  readonly lines: LineBatch;
  readonly sprites: SpriteBatch;
}

export class GazeView {
  private readonly start = new Vector3();
  readonly end = new Vector3();
  isVisible = false;

  /** Draws the gaze up to a time. In first person, the ray itself is omitted. */
  show(
    sampler: MotionSource,
    { time, gaze: ray }: Frame,
    floor: number,
    style: GazeStyle,
    isFirstPerson: boolean,
  ): void {
    this.isVisible = ray !== null && setPoint(this.start, ray.origin) && setPoint(this.end, endOf(ray, floor));
    if (!this.isVisible) {
      return;
    }
    drawTrail(sampler, time, floor, style);
    drawEnd(this.end, style);
    if (!isFirstPerson) {
      const length = this.start.distanceTo(this.end);
      this.start.lerp(this.end, Math.min(START_GAP_METRES / length, 1));
      style.lines.line(this.start, this.end, style.paint, 0.9, 0.25, 2);
    }
  }
}

function drawTrail(sampler: MotionSource, time: number, floor: number, { lines, paint }: GazeStyle): void {
  const at = (n: number, into: Vector3) => {
    const past = sampler.gazeAt(time - TRAIL_SECS * (1 - n / (TRAIL_STEPS - 1)));
    return past !== null && setPoint(into, endOf(past, floor));
  };
  lines.fading(TRAIL_STEPS, at, paint, 0.75, 3);
}

function drawEnd(end: Vector3, { sprites, paint }: GazeStyle): void {
  sprites.add(end, 0.034, paint, 0.5, { ...GLOW, maxPerMetre: 0.024 });
  sprites.add(end, 0.011, paint, 1, { ...DOT, maxPerMetre: 0.008 });
}

/** The end of a ray: on the floor, or at maximum length; `null` if it has no direction. */
function endOf({ origin: [x, y, z], direction: [dx, dy, dz] }: Ray, floor: number): Vector | null {
  const toFloor = dy < 0 && y > floor ? (floor - y) / dy : REACH_METRES;
  const reach = Math.min(REACH_METRES, toFloor);
  const hasDirection = dx !== 0 || dy !== 0 || dz !== 0;
  return hasDirection ? [x + reach * dx, y + reach * dy, z + reach * dz] : null;
}
