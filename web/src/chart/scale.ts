/** Converts chart positions to times. The plot area is narrower than the chart, which has axes at its sides. */

import type { Span } from "../api";

export class ChartScale {
  /** `left` and `width` are those of the plot area, in pixels of the chart. */
  constructor(
    private readonly window: Span,
    readonly left: number,
    readonly width: number,
  ) {}

  time(x: number): number {
    return this.window[0] + this.secs(x - this.left);
  }

  /** The time at a position, limited to the window. */
  timeWithin(x: number): number {
    return Math.min(Math.max(this.time(x), this.window[0]), this.window[1]);
  }

  secs(pixels: number): number {
    return (pixels / Math.max(this.width, 1)) * (this.window[1] - this.window[0]);
  }
}
