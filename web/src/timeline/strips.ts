/** Takes that are shown together, from their first to their last time. */

import type { Take } from "../state";
import { tintName } from "../theme";
import type { Paint } from "./paint";
import { type Box, paintBand } from "./spans";
import { textWidth } from "./text";

export function paintStrip(paint: Paint, take: Take, box: Box, isActive: boolean): void {
  const { context, scale, palette } = paint;
  const colour = palette.of(tintName(take.tint));
  const band = { spans: [[0, take.info.durationSecs] as const], offsetSecs: take.offsetSecs };
  paintBand(paint, band, box, colour, isActive ? 0.75 : 0.35);
  const [from, to] = [Math.max(scale.x(take.offsetSecs), 0), scale.x(take.offsetSecs + take.info.durationSecs)];
  const label = take.offsetSecs === 0 ? "" : signedSecs(take.offsetSecs);
  if (to - from < textWidth(label) + 12) {
    return;
  }
  context.fillStyle = palette.text;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(label, from + 6, box.top + box.height / 2 + 0.5);
}

export function signedSecs(secs: number): string {
  return `${secs < 0 ? "−" : "+"}${Math.abs(secs).toFixed(3)} s`;
}
