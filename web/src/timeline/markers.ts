/** The markers of the active recording in the order of their times, including one that is being dragged. */

import type { OpenRecording } from "../state";
import type { PlacedMarker } from "./marker-flags";

export interface MovedMarker {
  readonly recordingId: number;
  readonly index: number;
  /** Page time. */
  readonly time: number;
}

export function effectiveMarkers(recording: OpenRecording | null, moved: MovedMarker | null): readonly PlacedMarker[] {
  if (recording === null) {
    return [];
  }
  const { id, markers } = recording.info;
  return markers
    .map(({ time, name }, index): PlacedMarker => {
      const isMoved = moved !== null && moved.recordingId === id && moved.index === index;
      return { index, name, time: isMoved ? moved.time : time + recording.offsetSecs };
    })
    .sort((a, b) => a.time - b.time);
}
