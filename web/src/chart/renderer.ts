/**
 * Draws lines and keys on an off-screen canvas and copies it to the chart. Without a GPU, this is several times faster than drawing long
 * lines on the visible canvas.
 */

import type uPlot from "uplot";
import type { Span } from "../api";
import { elementAt } from "../recording/evaluate";
import { keyRange } from "./columns";
import type { Line } from "./lines";
import type { Point } from "./points";

export interface Stroke {
  readonly line: Line;
  /** A CSS colour. */
  readonly colour: string;
}

/** The opacity of lines other than the highlighted one. */
const DIMMED_ALPHA = 0.2;
const LINE_WIDTH = 1.5;
const DASHES = [6, 4];
/** Keys are drawn if their mean distance is at least this many CSS pixels. */
const MIN_KEY_SPACING = 9;
const KEY_RADIUS = 2.5;

export class CurveRenderer {
  private readonly canvas = document.createElement("canvas");
  // Makes browsers keep the canvas in main memory.
  private readonly ctx = this.canvas.getContext("2d", { willReadFrequently: true });
  /** The name of the highlighted curve. */
  focus: string | null = null;

  draw(plot: uPlot, strokes: readonly Stroke[], window: Span): void {
    const { ctx, canvas } = this;
    const { left, top, width, height } = plot.bbox;
    if (ctx === null || width < 1 || height < 1) {
      return;
    }
    canvas.width = Math.ceil(width);
    canvas.height = Math.ceil(height);
    ctx.translate(-left, -top);
    strokes.forEach((stroke, n) => {
      this.prepare(ctx, stroke);
      drawLine(ctx, plot, stroke.line, plot.data[n + 1] as readonly Point[]);
      drawKeys(ctx, plot, stroke.line, window);
    });
    plot.ctx.drawImage(canvas, left, top);
  }

  private prepare(ctx: CanvasRenderingContext2D, { line, colour }: Stroke): void {
    ctx.globalAlpha = this.focus === null || this.focus === line.name ? 1 : DIMMED_ALPHA;
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.lineJoin = "round";
    ctx.lineWidth = LINE_WIDTH * devicePixelRatio;
    ctx.setLineDash(line.isReference ? DASHES.map((length) => length * devicePixelRatio) : []);
  }
}

function drawLine(ctx: CanvasRenderingContext2D, plot: uPlot, { scale }: Line, points: readonly Point[]): void {
  const times = plot.data[0];
  let isDrawing = false;
  ctx.beginPath();
  points.forEach((value, n) => {
    if (typeof value === "number") {
      const command = isDrawing ? "lineTo" : "moveTo";
      ctx[command](plot.valToPos(times[n] as number, "x", true), plot.valToPos(value, scale, true));
      isDrawing = true;
    } else if (value === null) {
      isDrawing = false;
    }
  });
  ctx.stroke();
}

/** Filled for the active recording, hollow for the compared one. */
function drawKeys(ctx: CanvasRenderingContext2D, plot: uPlot, line: Line, window: Span): void {
  const { curve, recording, scale, isReference } = line;
  const [first, end] = keyRange(curve, recording, window);
  if ((end - first) * MIN_KEY_SPACING > plot.over.clientWidth) {
    return;
  }
  ctx.setLineDash([]);
  ctx.beginPath();
  for (let key = first; key < end; key++) {
    const x = plot.valToPos(elementAt(curve.times, key) + recording.offsetSecs, "x", true);
    const y = plot.valToPos(elementAt(curve.values, key), scale, true);
    if (Number.isFinite(y)) {
      ctx.moveTo(x + KEY_RADIUS * devicePixelRatio, y);
      ctx.arc(x, y, KEY_RADIUS * devicePixelRatio, 0, 2 * Math.PI);
    }
  }
  ctx.stroke();
  if (!isReference) {
    ctx.fill();
  }
}
