/** What people do with time, whatever they press: buttons, keys and gestures call these. */

import type { Span } from "../api";
import type { App } from "../app";
import { toLocalTime } from "../state";
import { effectiveMarkers } from "./markers";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Two times that are nearer than this are the same moment to people. */
const TIME_TOLERANCE_SECS = 1e-3;

export function changeSpeed({ state }: App, direction: 1 | -1): void {
  const beyond = (speed: number) => (direction > 0 ? speed > state.speed.value : speed < state.speed.value);
  const next = direction > 0 ? SPEEDS.find(beyond) : SPEEDS.filter(beyond).at(-1);
  state.speed.value = next ?? state.speed.value;
}

export function startRangeHere(app: App): void {
  const time = app.state.time.value;
  const [, end] = app.playedSpan();
  app.setRange([time, time < end ? end : app.state.span.value[1]]);
}

export function endRangeHere(app: App): void {
  const time = app.state.time.value;
  const [start] = app.playedSpan();
  app.setRange([time > start ? start : app.state.span.value[0], time]);
}

/** Zooms around a time, which stays where it is: in by factors below 1, out by those above. */
export function zoom(app: App, factor: number, around: number): void {
  const [from, to] = app.state.window.value;
  app.setWindow([around - (around - from) * factor, around + (to - around) * factor]);
}

/** Around the playhead if it can be seen. */
export function zoomHere(app: App, factor: number): void {
  const { time, window } = app.state;
  const [from, to] = window.value;
  const isSeen = time.value >= from && time.value <= to;
  zoom(app, factor, isSeen ? time.value : (from + to) / 2);
}

export function pan(app: App, secs: number): void {
  const [from, to] = app.state.window.value;
  app.setWindow([from + secs, to + secs]);
}

/** To the range, and from there to everything. */
export function zoomToRangeOrAll(app: App): void {
  const { range, window } = app.state;
  if (range.value !== null && !isSameSpan(window.value, range.value)) {
    app.setWindow(range.value);
  } else {
    app.zoomToAll();
  }
}

function isSameSpan(a: Span, b: Span): boolean {
  return Math.abs(a[0] - b[0]) < TIME_TOLERANCE_SECS && Math.abs(a[1] - b[1]) < TIME_TOLERANCE_SECS;
}

export function seekMarker(app: App, direction: 1 | -1): void {
  const { active, time } = app.state;
  const times = effectiveMarkers(active.value, null).map((marker) => marker.time);
  const next =
    direction > 0
      ? times.find((other) => other > time.value + TIME_TOLERANCE_SECS)
      : times.filter((other) => other < time.value - TIME_TOLERANCE_SECS).at(-1);
  if (next !== undefined) {
    app.seek(next);
  }
}

export function canEdit(app: App): boolean {
  return app.state.viewer.edit && app.server !== null;
}

/** Adds a marker to the active take and shows where it can be named; whether that was done. */
export async function addMarkerAt(app: App, time: number, name?: string): Promise<boolean> {
  const recording = app.state.active.value;
  if (recording === null || !canEdit(app)) {
    return false;
  }
  const given = name ?? `Marker ${recording.info.markers.length + 1}`;
  const changed = await app.edit(recording, { op: "addMarker", time: toLocalTime(recording, time), name: given });
  if (changed !== null) {
    app.state.panel.value = "markers";
  }
  return changed !== null;
}
