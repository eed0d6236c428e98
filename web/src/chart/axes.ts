/** The scales and axes of the chart: time at the bottom, metres at the left, unitless values at the right. */

import type uPlot from "uplot";
import type { Span } from "../api";
import { formatFixed } from "../number-format";
import { colour } from "../theme";
import { clockTime } from "../timeline/format";
import { FONT } from "../timeline/text";
import type { Line, ScaleName } from "./lines";

/** The sides of a chart in uPlot, whose own enumeration exists only as a type. */
const RIGHT = 1;
const BOTTOM = 2;
const LEFT = 3;

/** Steps between ticks of the time axis. */
const STEPS_SECS = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600],
];

/** The margin above and below the curves, as a fraction of their height. */
const MARGIN_FRACTION = 0.08;
/** Half the height of the scale around a constant curve. */
const MIN_HALF_HEIGHT = { metres: 0.01, plain: 0.1 } as const;

export function scalesOf(lines: readonly Line[], window: () => Span): uPlot.Scales {
  const hasFlags = lines.some((line) => line.curve.kind === "bool");
  return {
    x: { time: false, range: () => [...window()] },
    metres: { range: (_, low, high) => padded(low, high, MIN_HALF_HEIGHT.metres) },
    // The scale of a flag always includes 0 and 1.
    plain: {
      range: (_, low, high) =>
        hasFlags
          ? padded(Math.min(low, 0), Math.max(high, 1), MIN_HALF_HEIGHT.plain)
          : padded(low, high, MIN_HALF_HEIGHT.plain),
    },
  };
}

/** uPlot passes `null` if there are no values. */
function padded(low: number | null, high: number | null, minHalfHeight: number): uPlot.Range.MinMax {
  const [from, to] = [low ?? 0, high ?? 0];
  const margin = to > from ? (to - from) * MARGIN_FRACTION : Math.max(minHalfHeight, Math.abs(to) * 1e-3);
  return [from - margin, to + margin];
}

/** Without an axis at a side, leaves space for half a label of the time axis. */
export function paddingOf(lines: readonly Line[]): uPlot.Padding {
  const beside = (scale: ScaleName) => (has(lines, scale) ? 8 : 26);
  return [10, beside("plain"), 0, beside("metres")];
}

function has(lines: readonly Line[], scale: ScaleName): boolean {
  return lines.some((line) => line.scale === scale);
}

export function axesOf(lines: readonly Line[]): uPlot.Axis[] {
  const line = { stroke: colour("line"), width: 1 };
  const shared = { font: FONT, stroke: colour("muted"), grid: line, ticks: { ...line, size: 4 } };
  const timeAxis = { side: BOTTOM, size: 26, gap: 3, space: 70, incrs: STEPS_SECS, values: clock };
  // Only one of the value axes has a grid.
  const grid = { ...line, show: !has(lines, "metres") };
  return [
    { ...shared, ...timeAxis },
    { ...shared, ...valueAxis("metres", " m"), side: LEFT, show: has(lines, "metres") },
    { ...shared, ...valueAxis("plain", ""), side: RIGHT, show: has(lines, "plain"), grid },
  ];
}

function valueAxis(scale: ScaleName, unit: string): uPlot.Axis {
  return {
    scale,
    size: (_, values) => widthOf(values, unit),
    gap: 4,
    space: 28,
    values: (_, splits, _axis, _space, step) => splits.map((split) => `${formatFixed(split, digitsFor(step))}${unit}`),
  };
}

/** Wide enough for the longest label, with a minimum so that the chart does not change its width often. uPlot calls it once with `null`. */
function widthOf(values: readonly string[] | null, unit: string): number {
  return 14 + 6.5 * Math.max(5 + unit.length, ...(values ?? []).map((value) => value.length));
}

/** Formats ticks as "1.25 s", or as "2:05" if the axis exceeds one minute. */
function clock(_: uPlot, splits: number[], _axis: number, _space: number, step: number): string[] {
  const digits = digitsFor(step);
  const isLong = (splits.at(-1) ?? 0) >= 60;
  return splits.map((secs) => (isLong ? clockTime(secs, digits) : `${formatFixed(secs, digits)} s`));
}

/** The number of decimals that a step needs: two for 0.05 and for 0.25, none for 10. */
function digitsFor(step: number): number {
  const isExact = (digits: number) => Math.abs(step - Number(step.toFixed(digits))) < step * 1e-6;
  return [0, 1, 2, 3, 4, 5].find(isExact) ?? 6;
}
