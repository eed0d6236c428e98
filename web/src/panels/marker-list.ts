/** The markers of a take as they are listed: by time, in its own time. */

import type { MarkerInfo } from "../api";
import type { OpenRecording } from "../state";

export interface ListedMarker extends MarkerInfo {
  /** Its place among the markers of the file, by which the server knows it. */
  readonly index: number;
}

export function listedMarkers(recording: OpenRecording | null): readonly ListedMarker[] {
  const markers = recording?.info.markers ?? [];
  return markers.map((marker, index) => ({ ...marker, index })).sort((a, b) => a.time - b.time);
}

/** The marker where it is by now: others may have been added or deleted since. */
export function relocateMarker(markers: readonly ListedMarker[], marker: ListedMarker): ListedMarker | null {
  const same = markers.filter(({ time, name }) => time === marker.time && name === marker.name);
  return same.find(({ index }) => index === marker.index) ?? same[0] ?? null;
}
