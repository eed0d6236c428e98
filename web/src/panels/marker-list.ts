/** The markers of a recording in the order of their times. */

import type { MarkerInfo } from "../api";
import type { OpenRecording } from "../state";

export interface ListedMarker extends MarkerInfo {
  /** Its index in the file, which identifies it in edits. */
  readonly index: number;
}

export function listedMarkers(recording: OpenRecording | null): readonly ListedMarker[] {
  const markers = recording?.info.markers ?? [];
  return markers.map((marker, index) => ({ ...marker, index })).sort((a, b) => a.time - b.time);
}

/** Finds a marker again after others have been added or deleted. */
export function relocateMarker(markers: readonly ListedMarker[], marker: ListedMarker): ListedMarker | null {
  const same = markers.filter(({ time, name }) => time === marker.time && name === marker.name);
  return same.find(({ index }) => index === marker.index) ?? same[0] ?? null;
}
