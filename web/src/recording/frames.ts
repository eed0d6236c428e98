/** Finds frame times from the keys of a recording. */

import type { RecordingCurves } from "./decode";
import { lastAtOrBefore } from "./evaluate";

/** The step where keys do not indicate frames. */
const STEP_SECS = 1 / 60;
/** Keys farther apart than this are the result of key reduction, not frames. */
const REDUCED_KEY_GAP_SECS = 0.1;
/** Times are stored in 32 bits: without a tolerance, stepping could find the current frame again. */
const ROUNDING_SECS = 1e-5;

/** The time of the next or the previous frame. */
export function nextFrame(curves: RecordingCurves, time: number, direction: 1 | -1): number {
  const times = framesOf(curves);
  const before = lastAtOrBefore(times, time - ROUNDING_SECS);
  const upTo = lastAtOrBefore(times, time + ROUNDING_SECS);
  const [last, next] = direction > 0 ? [times[upTo], times[upTo + 1]] : [times[before + 1], times[before]];
  const step = time + direction * STEP_SECS;
  if (next === undefined) {
    return step;
  }
  const isDense = last !== undefined && Math.abs(next - last) <= REDUCED_KEY_GAP_SECS;
  return isDense || Math.abs(next - time) < STEP_SECS ? next : step;
}

/** The key times of the curve with the most keys. */
function framesOf({ curves }: RecordingCurves): Float32Array {
  return curves.reduce<Float32Array>(
    (most, { times }) => (times.length > most.length ? times : most),
    new Float32Array(),
  );
}
