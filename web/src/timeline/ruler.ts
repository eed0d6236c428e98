/** The ruler: ticks at round times. */

import { colour } from "../theme";
import type { PaintContext } from "./bands";
import { clockTime } from "./format";
import type { Scale } from "./scale";
import { textWidth } from "./text";

export interface Tick {
  readonly time: number;
  /** `null` for a minor tick. */
  readonly label: string | null;
}

/** Steps of one second and more, and the number of minor steps in each. */
const STEPS: readonly (readonly [secs: number, parts: number])[] = [
  [1, 5],
  [2, 4],
  [5, 5],
  [10, 5],
  [15, 3],
  [30, 6],
  [60, 6],
  [120, 4],
  [300, 5],
  [600, 5],
  [900, 3],
  [1800, 6],
  [3600, 4],
];
/** Multiples of a power of ten. */
const DECIMAL_STEPS = STEPS.slice(0, 4);
const MIN_STEP_PX = 76;
/** A limit for recordings with absurd times; no screen shows this many. */
const MAX_TICKS = 2000;

export function ticksOf(scale: Scale): Tick[] {
  const [from, to] = scale.drawn;
  const [step, parts] = stepOf(scale.secs(MIN_STEP_PX));
  const minorStep = step / parts;
  const first = Math.ceil(from / minorStep);
  const count = Math.min(Math.floor(to / minorStep) - first + 1, MAX_TICKS);
  return Array.from({ length: Math.max(count, 0) }, (_, n) => {
    const time = (first + n) * minorStep;
    return { time, label: (first + n) % parts === 0 ? labelOf(time, step, to) : null };
  });
}

function stepOf(minSecs: number): readonly [number, number] {
  const fromSeconds = STEPS.find(([secs]) => secs >= minSecs);
  if (minSecs > 0.5 && fromSeconds !== undefined) {
    return fromSeconds;
  }
  // Steps below a second and above hours are decimal.
  const unit = minSecs > 1 ? 3600 : 1;
  const power = unit * 10 ** Math.floor(Math.log10(minSecs / unit));
  const [step, parts] = DECIMAL_STEPS.find(([n]) => n * power >= minSecs * (1 - 1e-9)) ?? [10, 5];
  return [step * power, parts];
}

function labelOf(time: number, step: number, end: number): string {
  const decimals = step < 1 ? Math.ceil(-Math.log10(step) - 1e-9) : 0;
  return end >= 60 ? clockTime(time, decimals) : `${time.toFixed(decimals).replace("-", "−")} s`;
}

export function paintRuler({ context, scale }: PaintContext, top: number, height: number): void {
  const bottom = top + height;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { time, label } of ticksOf(scale)) {
    const x = scale.x(time);
    context.fillStyle = label === null ? colour("line") : colour("muted");
    context.fillRect(Math.round(x) - 0.5, bottom - (label === null ? 4 : 9), 1, label === null ? 4 : 9);
    if (label !== null) {
      const isTruncated = x + 4 + textWidth(label) > scale.width;
      context.fillText(label, isTruncated ? x - 4 - textWidth(label) : x + 4, top + height / 2 - 1);
    }
  }
  context.fillStyle = colour("line");
  context.fillRect(0, bottom - 1, scale.width, 1);
}
