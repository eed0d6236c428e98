/**
 * Lines and keys, drawn in memory and put on the chart as one picture. Where there is no graphics card, drawing long lines straight on the
 * screen takes many times as long.
 */

import type uPlot from "uplot";
import type { Span } from "../api";
import { elementAt } from "../recording/evaluate";
import { keyRange } from "./columns";
import type { Line } from "./lines";
import type { Point } from "./simplify";

export interface Stroke {
  readonly line: Line;
  /** As the browser would paint it. */
  readonly colour: string;
}

/** What is not pointed at, beside what is. */
const DIMMED_ALPHA = 0.2;
const LINE_WIDTH = 1.5;
const DASHES = [6, 4];
/** Keys are drawn where they are so far apart on average, in pixels of the page. */
const MIN_KEY_SPACING = 9;
const KEY_RADIUS = 2.5;

export class CurveRenderer {
  private readonly canvas = document.createElement("canvas");
  // That it is read often is what browsers keep a canvas in memory for.
  private readonly ctx = this.canvas.getContext("2d", { willReadFrequently: true });
  /** The name of the curve that is pointed at. */
  focus: string | null = null;

  /** Draws what the chart has points for. */
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

/** Full on the line of the active take, hollow on a dashed one. */
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
