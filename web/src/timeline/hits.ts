/** Finds and describes what is at a position of the timeline. */

import type { Span } from "../api";
import type { ListedMarker } from "../markers";
import type { OpenRecording } from "../state";
import { spanAt } from "./bands";
import { distanceAt } from "./difference";
import { findingAt, type TimedFinding } from "./findings";
import { clockTime, signedSecs } from "./format";
import type { Lane } from "./lanes";
import { FLAG_ROW, markerAt } from "./marker-flags";
import type { Point } from "./pointer";
import type { TimelineView } from "./view";

export type Hit =
  | { readonly kind: "marker"; readonly marker: ListedMarker }
  | { readonly kind: "finding"; readonly finding: TimedFinding; readonly recording: OpenRecording }
  | { readonly kind: "strip"; readonly recording: OpenRecording }
  | { readonly kind: "span"; readonly lane: Lane; readonly span: Span }
  | { readonly kind: "distance"; readonly millimetres: number };

export function hitAt(view: TimelineView, { x, y }: Point): Hit | null {
  const lane = view.laneAt(y);
  const scale = view.scale.value;
  switch (lane?.content.kind) {
    case "flags": {
      const row = Math.floor((y - lane.top) / FLAG_ROW);
      const marker = markerAt(view.flags.value, view.markers.value, scale, x, row);
      return marker && { kind: "marker", marker };
    }
    case "findings": {
      const { recording } = lane.content;
      const finding = findingAt(recording, scale, x);
      return finding && { kind: "finding", finding, recording };
    }
    case "strip":
      return stripAt(view, lane.content.recording, x);
    case "band": {
      const span = spanAt(lane.content.band, scale.time(x), scale.secs(1));
      return span && { kind: "span", lane, span };
    }
    case "difference": {
      const millimetres = distanceAt(view.difference, scale.time(x), scale.secs(4));
      return millimetres === null ? null : { kind: "distance", millimetres };
    }
    default:
      return null;
  }
}

function stripAt(view: TimelineView, recording: OpenRecording, x: number): Hit | null {
  const scale = view.scale.value;
  const [from, to] = [scale.x(recording.offsetSecs), scale.x(recording.offsetSecs + recording.info.duration_secs)];
  return x >= from - 3 && x <= to + 3 ? { kind: "strip", recording } : null;
}

export function describeHit(hit: Hit): string {
  switch (hit.kind) {
    case "marker":
      return `${hit.marker.name} · ${clockTime(hit.marker.time)}`;
    case "finding":
      return `${hit.finding.severity}: ${hit.finding.message}`;
    case "strip":
      return `${hit.recording.info.name} · offset ${signedSecs(hit.recording.offsetSecs)}, drag to align`;
    case "span": {
      const [from, to] = hit.span;
      return `${hit.lane.label} for ${(to - from).toFixed(2)} s`;
    }
    case "distance":
      return `${hit.millimetres.toFixed(1)} mm mean distance between joints`;
  }
}
