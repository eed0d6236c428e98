/** The markers of a recording in the order of their times. */

import type { MarkerInfo } from "./api";
import type { OpenRecording } from "./state";

/** A marker with its index in the file, which identifies it in edits. */
export interface ListedMarker extends MarkerInfo {
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

/** A marker that is being dragged, with its page time. */
export interface MovedMarker {
  readonly recordingId: number;
  readonly index: number;
  readonly time: number;
}

/** The markers in page time, including one that is being dragged. */
export function markersOnPage(recording: OpenRecording | null, moved: MovedMarker | null): readonly ListedMarker[] {
  const isMoved = ({ index }: ListedMarker) => recording?.info.id === moved?.recordingId && index === moved?.index;
  return listedMarkers(recording)
    .map((marker) => {
      const time = marker.time + (recording?.offsetSecs ?? 0);
      return { ...marker, time: moved !== null && isMoved(marker) ? moved.time : time };
    })
    .sort((a, b) => a.time - b.time);
}
