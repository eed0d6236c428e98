/** The points of all lines, without those on the line between others. Smooth curves consist mostly of these, and drawing them is slow. */

import { type Columns, valuesOf } from "./columns";
import type { Line, ScaleName } from "./lines";

/** The maximum distance between a line and a point that it omits. */
const TOLERANCE_PX = 0.25;

type Values = readonly (number | null)[];

/** `null` for a gap; `undefined` for a point that is omitted. */
export type Point = number | null | undefined;

export function pointsOf(lines: readonly Line[], columns: Columns, height: number): Point[][] {
  const values = lines.map(({ curve, recording }) => valuesOf(curve, recording, columns));
  const heightOf = (scale: ScaleName) => extent(values.filter((_, n) => lines[n]?.scale === scale));
  const heights = { metres: heightOf("metres"), plain: heightOf("plain") };
  return lines.map(({ scale }, n) => simplify(values[n] ?? [], (heights[scale] / Math.max(height, 1)) * TOLERANCE_PX));
}

/** The range of the values of several lines. */
function extent(values: readonly Values[]): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values.flat()) {
    low = Math.min(low, value ?? low);
    high = Math.max(high, value ?? high);
  }
  return Math.max(high - low, 0);
}

/** Simplifies equidistant points. No line is farther than the tolerance from an omitted point. */
function simplify(values: Values, tolerance: number): Point[] {
  const kept: Point[] = values.map((value) => (value === null ? null : undefined));
  let first = 0;
  for (let n = 0; n <= values.length; n++) {
    if (n === values.length || values[n] === null) {
      simplifyRun(values, first, n - 1, tolerance, kept);
      first = n + 1;
    }
  }
  return kept;
}

/** Simplifies a run of points without a gap. */
function simplifyRun(values: Values, first: number, last: number, tolerance: number, kept: Point[]): void {
  const value = (n: number) => values[n] as number;
  if (first > last) {
    return;
  }
  kept[first] = value(first);
  kept[last] = value(last);
  let start = first;
  // The slopes of all lines from the start that pass the following points within the tolerance.
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const slopeTo = (n: number, offset: number) => (value(n) + offset - value(start)) / (n - start);
  for (let n = first + 1; n <= last; n++) {
    const slope = slopeTo(n, 0);
    if (slope < low || slope > high) {
      start = n - 1;
      kept[start] = value(start);
      [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    }
    low = Math.max(low, slopeTo(n, -tolerance));
    high = Math.min(high, slopeTo(n, tolerance));
  }
}
