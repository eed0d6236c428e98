/**
 * Converts a curve to points: two per pixel column, whatever the number of keys.
 *
 * In a column without keys, both points are evaluated, so that every interpolation has its true shape. In a column with keys, they are the
 * minimum and the maximum, in their order of time, so that no spike is lost.
 */

import type { Span } from "../api";
import type { Curve } from "../recording/decode";
import { elementAt, lastAtOrBefore, valueAt } from "../recording/evaluate";
import { type OpenRecording, toLocalTime } from "../state";

export interface Columns {
  readonly from: number;
  readonly secs: number;
  readonly count: number;
}

type Value = number | null;

/** Rounding error of adding and subtracting an offset. */
const TIME_TOLERANCE_SECS = 1e-9;

/** Columns that fill the window, plus one so that lines reach its edge. */
export function columnsOf([from, to]: Span, pixels: number): Columns {
  const count = Math.max(Math.floor(pixels), 1);
  return { from, secs: (to - from) / count, count: count + 1 };
}

/** The page times of the points. */
export function timesOf({ from, secs, count }: Columns): Float64Array {
  return Float64Array.from({ length: 2 * count }, (_, n) => from + 0.5 * n * secs);
}

/** The values of the points; `null` outside the recording and where a value is not finite. */
export function valuesOf(curve: Curve, recording: OpenRecording, { from, secs, count }: Columns): Value[] {
  const values: Value[] = [];
  const { times } = curve;
  const begin = toLocalTime(recording, from);
  let key = lastAtOrBefore(times, begin) + 1;
  for (let column = 0; column < count; column++) {
    const start = begin + column * secs;
    const first = key;
    while (key < times.length && elementAt(times, key) < start + secs) {
      key++;
    }
    if (start < -TIME_TOLERANCE_SECS || start > recording.info.duration_secs + TIME_TOLERANCE_SECS) {
      values.push(null, null);
    } else if (key === first) {
      values.push(finiteOrNull(valueAt(curve, start)), finiteOrNull(valueAt(curve, start + 0.5 * secs)));
    } else {
      values.push(...extremes(curve, start, first, key));
    }
  }
  return values;
}

/** The minimum and maximum of the start of a column and its keys, in their order of time. */
function extremes(curve: Curve, start: number, first: number, end: number): [Value, Value] {
  let low = finiteOrNull(valueAt(curve, start));
  let high = low;
  let isRising = true;
  for (let key = first; key < end; key++) {
    const value = finiteOrNull(elementAt(curve.values, key));
    if (value === null) {
      continue;
    }
    if (low === null || value < low) {
      low = value;
      isRising = false;
    }
    if (high === null || value > high) {
      high = value;
      isRising = true;
    }
  }
  return isRising ? [low, high] : [high, low];
}

function finiteOrNull(value: number): Value {
  return Number.isFinite(value) ? value : null;
}

/** The index of the first key in the window, and that after the last key. */
export function keyRange({ times }: Curve, recording: OpenRecording, window: Span): readonly [number, number] {
  const [from, to] = [toLocalTime(recording, window[0]), toLocalTime(recording, window[1])];
  return [lastAtOrBefore(times, from - TIME_TOLERANCE_SECS) + 1, lastAtOrBefore(times, to) + 1];
}
