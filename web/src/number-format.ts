/** Formats numbers for people. */

import type { Span } from "./api";

const INTEGER_FORMAT = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** Larger values are shown without decimals. */
const MIN_LARGE_VALUE = 1e6;

/** A number with a fixed number of decimals; never "-0.00". */
export function formatFixed(value: number, digits: number): string {
  if (Math.abs(value) >= MIN_LARGE_VALUE) {
    return value.toPrecision(4);
  }
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

export function formatSeconds(secs: number): string {
  return `${formatFixed(secs, 2)} s`;
}

export function formatSpan([from, to]: Span): string {
  return from === to ? formatSeconds(from) : `${formatSeconds(from)} to ${formatSeconds(to)}`;
}

/** "1 key", "258,907 keys". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${INTEGER_FORMAT.format(count)} ${count === 1 ? one : many}`;
}

/** "812 bytes", "2.08 MB": decimal units, as in `holotape info`. */
export function formatBytes(bytes: number): string {
  const steps = ["kB", "MB", "GB"] as const;
  const size = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), steps.length);
  const unit = steps[size - 1];
  return unit === undefined ? formatCount(bytes, "byte") : `${(bytes / 1000 ** size).toPrecision(3)} ${unit}`;
}

/** "97 %"; 0 % and 100 % only if exact. */
export function formatPercent(fraction: number): string {
  const percent = Math.round(100 * fraction);
  return `${fraction > 0 && fraction < 1 ? Math.min(Math.max(percent, 1), 99) : percent} %`;
}
