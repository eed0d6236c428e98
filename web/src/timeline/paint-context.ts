/** What all lanes need for painting. */

import type { Scale } from "./scale";
import type { TimelineColors } from "./timeline-colors";

export interface PaintContext {
  readonly context: CanvasRenderingContext2D;
  readonly scale: Scale;
  readonly colors: TimelineColors;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}
