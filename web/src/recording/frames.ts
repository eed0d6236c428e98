/** From frame to frame: at the times at which something was recorded, as far as a tape still has them. */

import type { RecordingCurves } from "./decode";
import { lastAtOrBefore } from "./evaluate";

/** Steps where a tape does not say when its frames were. */
const STEP_SECS = 1 / 60;
/** Keys that are farther apart are what somebody left of the frames. */
const REDUCED_KEY_GAP_SECS = 0.1;
/** Times are stored in 32 bits: without this, the frame that was just stepped to would be the next one again. */
const ROUNDING_SECS = 1e-5;

/** The time of the frame after a time, or before it. */
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

/** The key times of the curve that has most. */
function framesOf({ curves }: RecordingCurves): Float32Array {
  return curves.reduce<Float32Array>(
    (most, { times }) => (times.length > most.length ? times : most),
    new Float32Array(),
  );
}
