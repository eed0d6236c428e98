/** The layer that stands still while time passes: everything but the playhead, the range and the pointer. */

import type { DifferenceTrace } from "./difference";
import { paintFindings } from "./findings";
import { type Flags, paintFlags } from "./flags";
import { bottomOfTake, heightOf, type Lane } from "./lanes";
import type { Palette } from "./palette";
import { paintRuler } from "./ruler";
import type { Scale } from "./scale";
import { type Box, paintBand } from "./spans";
import { paintStrip } from "./strips";
import { FONT } from "./text";
import { paintTrace } from "./trace";

export interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly scale: Scale;
  readonly palette: Palette;
  /** Pixels of the screen to one of the style sheet. */
  readonly ratio: number;
}

export interface Picture {
  readonly scale: Scale;
  readonly ratio: number;
  readonly lanes: readonly Lane[];
  readonly flags: Flags;
  readonly palette: Palette;
  readonly activeId: number | null;
}

const BAND_INSET = 2.5;

export function paintPicture(canvas: HTMLCanvasElement, picture: Picture, trace: DifferenceTrace): void {
  // Many small shapes, drawn now and then: the processor is done with them before a graphics card, or what stands in for it, begins.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) {
    return;
  }
  const { scale, ratio, palette } = picture;
  // Without a recording there is no time to measure.
  const lanes = picture.activeId === null ? [] : picture.lanes;
  const height = heightOf(picture.lanes);
  resize(canvas, scale.width, height, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scale.width, height);
  context.font = FONT;
  const paint = { context, scale, palette, ratio };
  // The poles of flags reach down through the lanes, and lie above them.
  for (const lane of [...lanes].sort((a, b) => Number(isFlags(a)) - Number(isFlags(b)))) {
    paintLane(paint, lane, picture, trace);
  }
}

function isFlags({ content }: Lane): boolean {
  return content.kind === "flags";
}

function resize(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
}

function paintLane(paint: Paint, lane: Lane, picture: Picture, trace: DifferenceTrace): void {
  const { content, top, height } = lane;
  switch (content.kind) {
    case "ruler":
      paintRuler(paint, top, height);
      break;
    case "flags":
      paintFlags(paint, picture.flags, top, bottomOfTake(picture.lanes), content.rows);
      break;
    case "band":
      paintThread(paint, top + height - BAND_INSET);
      paintBand(paint, content.band, inset(lane), paint.palette.of(lane.colour), content.strength);
      break;
    case "findings":
      paintThread(paint, top + height / 2 - 0.5);
      paintFindings(paint, content.take, lane);
      break;
    case "difference":
      paintTrace(paint, trace, lane);
      break;
    case "strip":
      paintThread(paint, top + height - BAND_INSET);
      paintStrip(paint, content.take, inset(lane), content.take.info.id === picture.activeId);
      break;
  }
}

function inset({ top, height }: Box): Box {
  return { top: top + BAND_INSET, height: height - 2 * BAND_INSET };
}

/** A faint line, so that the eye finds the label of what is far from it. */
function paintThread({ context, scale, palette }: Paint, y: number): void {
  context.fillStyle = palette.line;
  context.fillRect(0, y, scale.width, 1);
}
