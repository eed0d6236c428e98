/** Conversion between times and pixels. */

import type { Span } from "../api";

/** Space at both ends, so that handles at the start and end are visible. */
export const EDGE = 12;

export class Scale {
  private readonly pixelsPerSec: number;

  constructor(
    readonly window: Span,
    readonly width: number,
  ) {
    this.pixelsPerSec = Math.max(width - 2 * EDGE, 1) / Math.max(window[1] - window[0], 1e-9);
  }

  x(time: number): number {
    return EDGE + (time - this.window[0]) * this.pixelsPerSec;
  }

  time(x: number): number {
    return this.window[0] + (x - EDGE) / this.pixelsPerSec;
  }

  /** The time at a position, limited to the window. */
  timeWithin(x: number): number {
    return Math.min(Math.max(this.time(x), this.window[0]), this.window[1]);
  }

  secs(pixels: number): number {
    return pixels / this.pixelsPerSec;
  }

  /** Everything that is visible: the window and the space at its ends. */
  get drawn(): Span {
    return [this.time(0), this.time(this.width)];
  }
}

/** The window in which two times are at two positions. */
export function windowForPinch(times: Span, positions: Span, width: number): Span | null {
  const secsPerPixel = (times[1] - times[0]) / (positions[1] - positions[0]);
  if (!Number.isFinite(secsPerPixel) || secsPerPixel <= 0) {
    return null;
  }
  const from = times[0] - (positions[0] - EDGE) * secsPerPixel;
  return [from, from + Math.max(width - 2 * EDGE, 1) * secsPerPixel];
}
