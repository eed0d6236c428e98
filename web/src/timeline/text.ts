/** Measures and truncates text on the canvas. */

import { countWhile } from "../search";

export const FONT = `11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;

/** A limit for names from files, which can be very long. */
const MAX_MEASURED_CHARS = 80;
const MAX_CACHED_WIDTHS = 4000;

let context: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

export function textWidth(text: string): number {
  const cached = widths.get(text);
  if (cached !== undefined) {
    return cached;
  }
  const width = measure(limitChars(text));
  if (widths.size >= MAX_CACHED_WIDTHS) {
    widths.clear();
  }
  widths.set(text, width);
  return width;
}

function measure(text: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) {
    return 6 * text.length;
  }
  context.font = FONT;
  return context.measureText(text).width;
}

/** Truncates between characters, not within a surrogate pair. */
function limitChars(text: string): string {
  return text.length <= MAX_MEASURED_CHARS
    ? text
    : `${[...text.slice(0, 2 * MAX_MEASURED_CHARS)].slice(0, MAX_MEASURED_CHARS).join("")}…`;
}

/** Truncates a text to a width. */
export function ellipsize(text: string, maxWidth: number): string {
  const short = limitChars(text);
  if (textWidth(short) <= maxWidth) {
    return short;
  }
  const chars = [...short];
  const start = (count: number) => chars.slice(0, count).join("");
  const fitting = countWhile(chars.length, (index) => measure(`${start(index + 1)}…`) <= maxWidth);
  return fitting === 0 ? "" : `${start(fitting).trimEnd()}…`;
}
