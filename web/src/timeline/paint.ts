/** Paints the timeline, except for playhead, range and pointer, which move more often. */

import type { OpenRecording } from "../state";
import { colour, recordingColorName } from "../theme";
import { type Box, type PaintContext, paintBand } from "./bands";
import { paintDifference } from "./difference";
import { paintFindings } from "./findings";
import { signedSecs } from "./format";
import { heightOf, type Lane, recordingLanesBottom } from "./lanes";
import { paintFlags } from "./marker-flags";
import { paintRuler } from "./ruler";
import { EDGE } from "./scale";
import { FONT, textWidth } from "./text";
import type { TimelineView } from "./view";

const BAND_INSET = 2.5;

export function paintTimeline(canvas: HTMLCanvasElement, view: TimelineView, activeId: number | null): void {
  // For many small shapes that are drawn rarely, the CPU is faster than the GPU.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) {
    return;
  }
  const [scale, { ratio }] = [view.scale.value, view.size.value];
  const height = heightOf(view.lanes.value);
  resize(canvas, scale.width, height, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scale.width, height);
  context.font = FONT;
  // Flag poles are drawn over the other lanes.
  const lanes = [...view.lanes.value].sort((a, b) => Number(isFlags(a)) - Number(isFlags(b)));
  for (const lane of activeId === null ? [] : lanes) {
    paintLane({ context, scale, ratio }, lane, view, activeId);
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

function paintLane(paint: PaintContext, lane: Lane, view: TimelineView, activeId: number | null): void {
  const { content, top, height } = lane;
  switch (content.kind) {
    case "ruler":
      paintRuler(paint, top, height);
      break;
    case "flags":
      paintFlags(paint, view.flags.value, top, recordingLanesBottom(view.lanes.value), content.rows);
      break;
    case "band":
      paintGuideLine(paint, top + height - BAND_INSET);
      paintBand(paint, content.band, inset(lane), lane.colour, content.strength);
      paintText(paint, content.band.note ?? "", EDGE + 6, lane, "muted");
      break;
    case "findings":
      paintGuideLine(paint, top + height / 2 - 0.5);
      paintFindings(paint, content.recording, lane);
      break;
    case "difference":
      paintDifference(paint, view.difference, lane);
      break;
    case "strip":
      paintGuideLine(paint, top + height - BAND_INSET);
      paintStrip(paint, content.recording, inset(lane), content.recording.info.id === activeId);
      break;
  }
}

function inset({ top, height }: Box): Box {
  return { top: top + BAND_INSET, height: height - 2 * BAND_INSET };
}

/** A faint line that connects a lane with its label. */
function paintGuideLine({ context, scale }: PaintContext, y: number): void {
  context.fillStyle = colour("line");
  context.fillRect(0, y, scale.width, 1);
}

/** The span of a recording that is shown together with others. */
function paintStrip(paint: PaintContext, { info, colorIndex, offsetSecs }: OpenRecording, box: Box, isActive: boolean) {
  const { scale } = paint;
  const band = { spans: [[0, info.duration_secs] as const], offsetSecs };
  paintBand(paint, band, box, recordingColorName(colorIndex), isActive ? 0.75 : 0.35);
  const [from, to] = [Math.max(scale.x(offsetSecs), 0), scale.x(offsetSecs + info.duration_secs)];
  const label = offsetSecs === 0 ? "" : signedSecs(offsetSecs);
  if (to - from >= textWidth(label) + 12) {
    paintText(paint, label, from + 6, box, "text");
  }
}

function paintText({ context }: PaintContext, text: string, x: number, { top, height }: Box, colorName: string): void {
  context.fillStyle = colour(colorName);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, x, top + height / 2 + 0.5);
}
