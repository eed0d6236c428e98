/** The findings lane of the timeline: each severity has its own symbol and colour. */

import type { FindingInfo, Span } from "../api";
import { nearestBy } from "../search";
import type { OpenRecording } from "../state";
import { colour } from "../theme";
import { type Box, type PaintContext, paintBand } from "./bands";
import type { Scale } from "./scale";

type Severity = FindingInfo["severity"];

/** The worst last, so that it is drawn on top. */
const SEVERITIES: readonly Severity[] = ["note", "warning", "error"];
const COLOURS: Readonly<Record<Severity, string>> = { note: "muted", warning: "warning", error: "error" };
const SIZE = 4;

export interface TimedFinding extends FindingInfo {
  readonly span_secs: Span;
}

export function timedFindings(recording: OpenRecording): readonly TimedFinding[] {
  return recording.info.findings.filter((finding): finding is TimedFinding => finding.span_secs !== null);
}

export function paintFindings(paint: PaintContext, recording: OpenRecording, box: Box): void {
  const { context, scale } = paint;
  const all = timedFindings(recording);
  const middle = box.top + box.height / 2;
  for (const severity of SEVERITIES) {
    const spans = all.filter((finding) => finding.severity === severity).map(({ span_secs }) => span_secs);
    const colorName = COLOURS[severity];
    paintBand(paint, { spans, offsetSecs: recording.offsetSecs }, { top: middle - 1, height: 2 }, colorName, 0.6);
    context.fillStyle = colour(colorName);
    context.beginPath();
    for (const x of pixelColumns(spans, recording.offsetSecs, scale)) {
      traceSymbol(context, severity, x, middle);
    }
    context.fill();
  }
}

/** At most one symbol per pixel column. */
function pixelColumns(spans: readonly Span[], offsetSecs: number, scale: Scale): Set<number> {
  const columns = spans.map(([from]) => Math.round(scale.x(from + offsetSecs)));
  return new Set(columns.filter((x) => x >= -SIZE && x <= scale.width + SIZE));
}

/** Distinguishable without colours: a diamond for errors, a triangle for warnings, a dot for notes. */
function traceSymbol(context: CanvasRenderingContext2D, severity: Severity, x: number, y: number): void {
  if (severity === "note") {
    context.moveTo(x + SIZE - 1, y);
    context.arc(x, y, SIZE - 1, 0, 2 * Math.PI);
    return;
  }
  const isError = severity === "error";
  const baseline = isError ? y : y + SIZE - 0.5;
  context.moveTo(x - SIZE, baseline);
  context.lineTo(x, y - SIZE - 0.5);
  context.lineTo(x + SIZE, baseline);
  if (isError) {
    context.lineTo(x, y + SIZE + 0.5);
  }
  context.closePath();
}

/** The finding that starts nearest to a position, or one whose span includes it. */
export function findingAt(recording: OpenRecording, scale: Scale, x: number): TimedFinding | null {
  const localTime = scale.time(x) - recording.offsetSecs;
  const reach = scale.secs(SIZE + 2);
  const all = timedFindings(recording);
  const distance = ({ span_secs }: TimedFinding) => Math.abs(span_secs[0] - localTime);
  const nearest = nearestBy(all, distance);
  if (nearest !== null && distance(nearest) <= reach) {
    return nearest;
  }
  return all.find(({ span_secs: [from, to] }) => from <= localTime && localTime <= to) ?? null;
}
