/** From places on the chart to times. Beside the lines are axes, where no time is. */

import type { Span } from "../api";

export class ChartScale {
  /** In pixels of the chart, `left` and `width` being those of the lines. */
  constructor(
    private readonly window: Span,
    readonly left: number,
    readonly width: number,
  ) {}

  time(x: number): number {
    return this.window[0] + this.secs(x - this.left);
  }

  /** The time at a place, or at the nearest place of the window. */
  timeWithin(x: number): number {
    return Math.min(Math.max(this.time(x), this.window[0]), this.window[1]);
  }

  secs(pixels: number): number {
    return (pixels / Math.max(this.width, 1)) * (this.window[1] - this.window[0]);
  }
}
