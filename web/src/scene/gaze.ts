/** The gaze: a ray from the eyes, a dot where it ends, and where that dot has been. */

import { type Color, Vector3 } from "three";
import type { Ray, Sampler } from "../tape/sampler";
import { DOT, GLOW, type Marks } from "./marks";
import { isPlaceable, toScene } from "./space";
import type { Strokes } from "./strokes";

/** How far the ray goes. What somebody looked at is not in a recording. */
const REACH_METRES = 2;
const TRAIL_SECS = 0.6;
const TRAIL_STEPS = 36;
/** The recorder puts the origin between the eyes: there the ray would cross the visor. */
const CLEAR_OF_HEAD_METRES = 0.06;

export class GazeView {
  private readonly start = new Vector3();
  readonly end = new Vector3();
  isThere = false;

  /** Draws what the eyes did up to a time. From inside the head, the ray itself would only be a blot. */
  show(
    sampler: Sampler,
    time: number,
    floor: number,
    paint: Color,
    ink: { strokes: Strokes; marks: Marks },
    isLookedThrough: boolean,
  ): void {
    const ray = sampler.gazeAt(time);
    this.isThere = ray !== null && endOf(ray, floor, this.end);
    if (ray === null || !this.isThere) {
      return;
    }
    const at = (n: number, into: Vector3) => {
      const past = sampler.gazeAt(time - TRAIL_SECS * (1 - n / (TRAIL_STEPS - 1)));
      return past !== null && endOf(past, floor, into);
    };
    ink.strokes.fading(TRAIL_STEPS, at, paint, 0.75, 3);
    ink.marks.add(this.end, 0.034, paint, 0.5, { ...GLOW, largest: 0.018 });
    ink.marks.add(this.end, 0.011, paint, 1, { ...DOT, largest: 0.006 });
    if (!isLookedThrough) {
      toScene(ray.origin, this.start);
      this.start.lerp(this.end, CLEAR_OF_HEAD_METRES / Math.max(this.start.distanceTo(this.end), CLEAR_OF_HEAD_METRES));
      ink.strokes.line(this.start, this.end, paint, 0.9, 0.25, 2);
    }
  }
}

/** Where a ray ends: on the floor, or after its reach. Whether it points anywhere. */
function endOf({ origin, direction }: Ray, floor: number, into: Vector3): boolean {
  const [, height] = origin;
  const [, rise] = direction;
  const toFloor = rise < 0 && height > floor ? (floor - height) / rise : REACH_METRES;
  const reach = Math.min(REACH_METRES, toFloor);
  const end: Ray["origin"] = [0, 1, 2].map(
    (n) => (origin[n] as number) + reach * (direction[n] as number),
  ) as Ray["origin"];
  toScene(end, into);
  return isPlaceable(end) && isPlaceable(origin) && direction.some((value) => value !== 0);
}
