/** The points of all lines, simplified. */

import { type Columns, valuesOf } from "./columns";
import type { Line, ScaleName } from "./lines";
import { type Point, simplify } from "./simplify";

/** The maximum distance between a line and a point that it omits. */
const TOLERANCE_PX = 0.25;

type Values = readonly (number | null)[];

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
