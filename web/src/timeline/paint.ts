/** Paints the timeline, except for playhead, range and pointer, which move more often. */

import { type Box, paintBand } from "./bands";
import type { DifferenceSeries } from "./difference";
import { paintDifference } from "./difference-lane";
import { paintFindings } from "./findings";
import { heightOf, type Lane, recordingLanesBottom } from "./lanes";
import { type FlagLayout, paintFlags } from "./marker-flags";
import type { PaintContext } from "./paint-context";
import { paintRuler } from "./ruler";
import type { Scale } from "./scale";
import { paintStrip } from "./strips";
import { FONT } from "./text";
import type { TimelineColors } from "./timeline-colors";

export interface TimelineFrame {
  readonly scale: Scale;
  readonly ratio: number;
  readonly lanes: readonly Lane[];
  readonly flags: FlagLayout;
  readonly colors: TimelineColors;
  readonly activeId: number | null;
}

const BAND_INSET = 2.5;

export function paintTimeline(canvas: HTMLCanvasElement, frame: TimelineFrame, series: DifferenceSeries): void {
  // For many small shapes that are drawn rarely, the CPU is faster than the GPU.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) {
    return;
  }
  const { scale, ratio, colors } = frame;
  const lanes = frame.activeId === null ? [] : frame.lanes;
  const height = heightOf(frame.lanes);
  resize(canvas, scale.width, height, ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scale.width, height);
  context.font = FONT;
  const paint = { context, scale, colors, ratio };
  // Flag poles are drawn over the other lanes.
  for (const lane of [...lanes].sort((a, b) => Number(isFlags(a)) - Number(isFlags(b)))) {
    paintLane(paint, lane, frame, series);
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

function paintLane(paint: PaintContext, lane: Lane, frame: TimelineFrame, series: DifferenceSeries): void {
  const { content, top, height } = lane;
  switch (content.kind) {
    case "ruler":
      paintRuler(paint, top, height);
      break;
    case "flags":
      paintFlags(paint, frame.flags, top, recordingLanesBottom(frame.lanes), content.rows);
      break;
    case "band":
      paintGuideLine(paint, top + height - BAND_INSET);
      paintBand(paint, content.band, inset(lane), paint.colors.of(lane.colour), content.strength);
      break;
    case "findings":
      paintGuideLine(paint, top + height / 2 - 0.5);
      paintFindings(paint, content.recording, lane);
      break;
    case "difference":
      paintDifference(paint, series, lane);
      break;
    case "strip":
      paintGuideLine(paint, top + height - BAND_INSET);
      paintStrip(paint, content.recording, inset(lane), content.recording.info.id === frame.activeId);
      break;
  }
}

function inset({ top, height }: Box): Box {
  return { top: top + BAND_INSET, height: height - 2 * BAND_INSET };
}

/** A faint line that connects a lane with its label. */
function paintGuideLine({ context, scale, colors }: PaintContext, y: number): void {
  context.fillStyle = colors.line;
  context.fillRect(0, y, scale.width, 1);
}
