/** Conversion between times and pixels. */

import type { Span } from "../api";

/** Space at both ends, so that handles at the start and end are visible. */
export const EDGE = 12;

export class Scale {
  private readonly pixelsPerSec: number;

  /** The window spans the pixels from `left` to `right` of `width`. */
  constructor(
    readonly window: Span,
    readonly width: number,
    private readonly left = EDGE,
    private readonly right = width - EDGE,
  ) {
    this.pixelsPerSec = Math.max(right - left, 1) / Math.max(window[1] - window[0], 1e-9);
  }

  x(time: number): number {
    return this.left + (time - this.window[0]) * this.pixelsPerSec;
  }

  time(x: number): number {
    return this.window[0] + (x - this.left) / this.pixelsPerSec;
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

  /** The window in which two times are at two positions; `null` if there is none. */
  windowFor(times: Span, positions: Span): Span | null {
    const secsPerPixel = (times[1] - times[0]) / (positions[1] - positions[0]);
    if (!Number.isFinite(secsPerPixel) || secsPerPixel <= 0) {
      return null;
    }
    const from = times[0] - (positions[0] - this.left) * secsPerPixel;
    return [from, from + Math.max(this.right - this.left, 1) * secsPerPixel];
  }
}
