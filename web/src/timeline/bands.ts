/** Bands of the timeline: the spans in which a flag is set. */

import type { Span } from "../api";
import { colour } from "../theme";
import type { Scale } from "./scale";

/** What all lanes need for painting. */
export interface PaintContext {
  readonly context: CanvasRenderingContext2D;
  readonly scale: Scale;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export interface Band {
  readonly spans: readonly Span[];
  /** Added to the spans to get page times. */
  readonly offsetSecs: number;
  /** Shown instead of spans that the server omitted. */
  readonly note?: string;
}

export interface Box {
  readonly top: number;
  readonly height: number;
}

/** Spans shorter than a pixel stay visible: a pinch of one frame in ten minutes. */
const MIN_ALPHA = 0.4;
const SHADES = 16;

/** The covered fraction of each pixel column. However many spans there are, at most one rectangle per column is drawn. */
function coverageOf({ spans, offsetSecs }: Band, { scale, ratio }: PaintContext): Float32Array {
  const coverage = new Float32Array(Math.ceil(scale.width * ratio));
  for (const [from, to] of spans) {
    const [left, right] = [scale.x(from + offsetSecs) * ratio, scale.x(to + offsetSecs) * ratio];
    if (right >= 0 && left < coverage.length) {
      addCoverage(coverage, Math.max(left, 0), Math.min(right, coverage.length));
    }
  }
  return coverage;
}

function addCoverage(coverage: Float32Array, from: number, to: number): void {
  const last = Math.min(Math.floor(to), coverage.length - 1);
  for (let column = Math.floor(from); column <= last; column++) {
    const fraction = Math.min(to, column + 1) - Math.max(from, column);
    const sum = (coverage[column] ?? 0) + Math.max(fraction, 0);
    // A span that ends where the column starts does not cover it.
    coverage[column] = fraction > 0 || from === to ? Math.min(Math.max(sum, MIN_ALPHA), 1) : sum;
  }
}

export function paintBand(paint: PaintContext, band: Band, box: Box, colorName: string, strength: number): void {
  const { context, ratio } = paint;
  const shades = coverageOf(band, paint).map((fraction) => Math.round(fraction * SHADES));
  context.fillStyle = colour(colorName);
  for (const [from, to] of runsOf(shades)) {
    context.globalAlpha = (strength * (shades[from] ?? 0)) / SHADES;
    context.fillRect(from / ratio, box.top, (to - from) / ratio, box.height);
  }
  context.globalAlpha = 1;
}

/** Runs of equal values, without those of zero. */
function* runsOf(values: Float32Array): Generator<Span> {
  let from = 0;
  for (let n = 1; n <= values.length; n++) {
    if (values[n] !== values[from]) {
      if ((values[from] ?? 0) > 0) {
        yield [from, n];
      }
      from = n;
    }
  }
}

/** The span at a page time, or `null`. */
export function spanAt({ spans, offsetSecs }: Band, time: number, slackSecs: number): Span | null {
  const localTime = time - offsetSecs;
  return spans.find(([from, to]) => from - slackSecs <= localTime && localTime <= to + slackSecs) ?? null;
}
