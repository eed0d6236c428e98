/** The strips of recordings that are shown together. */

import type { OpenRecording } from "../state";
import { recordingColorName } from "../theme";
import { type Box, paintBand } from "./bands";
import type { PaintContext } from "./paint-context";
import { textWidth } from "./text";

export function paintStrip(paint: PaintContext, recording: OpenRecording, box: Box, isActive: boolean): void {
  const { context, scale, colors } = paint;
  const colour = colors.of(recordingColorName(recording.colorIndex));
  const band = { spans: [[0, recording.info.duration_secs] as const], offsetSecs: recording.offsetSecs };
  paintBand(paint, band, box, colour, isActive ? 0.75 : 0.35);
  const [from, to] = [
    Math.max(scale.x(recording.offsetSecs), 0),
    scale.x(recording.offsetSecs + recording.info.duration_secs),
  ];
  const label = recording.offsetSecs === 0 ? "" : signedSecs(recording.offsetSecs);
  if (to - from < textWidth(label) + 12) {
    return;
  }
  context.fillStyle = colors.text;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(label, from + 6, box.top + box.height / 2 + 0.5);
}

export function signedSecs(secs: number): string {
  return `${secs < 0 ? "−" : "+"}${Math.abs(secs).toFixed(3)} s`;
}
