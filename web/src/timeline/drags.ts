/** The actions of a drag, depending on where it starts. */

import { batch } from "@preact/signals";
import type { App } from "../app";
import type { ListedMarker, MovedMarker } from "../markers";
import { type OpenRecording, toLocalTime } from "../state";
import { hitAt } from "./hits";
import type { Drag, Point } from "./pointer";
import type { Scale } from "./scale";
import type { TimelineView } from "./view";

/** Pointers move slightly during a click. */
const DRAG_THRESHOLD_PX = 4;

export function beginDrag(app: App, view: TimelineView, at: Point, event: PointerEvent): Drag | null {
  const scale = () => view.scale.value;
  if (event.button !== 0) {
    return null;
  }
  if (event.shiftKey) {
    return selectRange(app, view, at);
  }
  const hit = hitAt(view, at);
  switch (hit?.kind) {
    case "marker":
      return holdMarker(app, view, hit.marker, at);
    case "finding":
      return scrub(app, scale, hit.finding.span_secs[0] + hit.recording.offsetSecs);
    case "strip":
      return shiftRecording(app, view, hit.recording, at);
    default:
      return scrub(app, scale, scale().timeWithin(at.x));
  }
}

/** Seeks, then lets time follow the pointer. */
export function scrub(app: App, scale: () => Scale, start: number): Drag {
  const drag = pausedDuring(app, { move: ({ x }) => app.playback.seek(scale().timeWithin(x)) });
  app.playback.seek(start);
  return drag;
}

/** Pauses during a drag. Cancelling restores the time as well. */
function pausedDuring(app: App, drag: Drag): Drag {
  const { playing, time } = app.state;
  const [wasPlaying, before] = [playing.value, time.value];
  app.playback.setPlaying(false);
  const drop = () => {
    drag.drop?.();
    app.playback.setPlaying(wasPlaying);
  };
  const cancel = () => {
    drag.cancel?.();
    app.playback.seek(before);
    app.playback.setPlaying(wasPlaying);
  };
  return { ...drag, drop, cancel };
}

function selectRange(app: App, view: TimelineView, { x }: Point): Drag {
  const before = app.state.range.value;
  const start = view.scale.value.timeWithin(x);
  app.playback.setRange(null);
  return {
    move: (at) => app.playback.setRange([start, view.scale.value.timeWithin(at.x)]),
    cancel: () => app.playback.setRange(before),
  };
}

/** A click seeks to the marker. A drag moves it, or seeks if editing is disabled. */
function holdMarker(app: App, view: TimelineView, marker: ListedMarker, from: Point): Drag {
  const recording = app.state.active.value;
  if (recording === null || !app.canEdit) {
    return afterThreshold(
      from,
      scrub(app, () => view.scale.value, marker.time),
    );
  }
  const grabOffset = from.x - view.scale.value.x(marker.time);
  let moved: MovedMarker | null = null;
  const drag: Drag = {
    move: ({ x }) => {
      const time = view.scale.value.timeWithin(x - grabOffset);
      moved = { recordingId: recording.info.id, index: marker.index, time };
      view.moved.value = moved;
      app.playback.seek(time);
    },
    drop: () => void (moved && commitMarker(app, view, recording, moved)),
    cancel: () => moved && releaseMarker(view, moved),
  };
  const held = pausedDuring(app, drag);
  app.playback.seek(marker.time);
  return afterThreshold(from, held);
}

/** Shows the marker at its new position until the server has confirmed the edit. */
async function commitMarker(app: App, view: TimelineView, recording: OpenRecording, held: MovedMarker): Promise<void> {
  await app.edit(recording, { op: "move-marker", index: held.index, time: toLocalTime(recording, held.time) });
  releaseMarker(view, held);
}

/** Unless another marker is dragged by now. */
function releaseMarker({ moved }: TimelineView, held: MovedMarker): void {
  if (moved.value === held) {
    moved.value = null;
  }
}

/** A click activates the recording. A drag moves it in time. */
function shiftRecording(app: App, view: TimelineView, recording: OpenRecording, from: Point): Drag {
  const { window, span } = app.state;
  const [shown, scale] = [window.value, view.scale.value];
  const showsAll = shown[0] <= span.value[0] && shown[1] >= span.value[1];
  const shift = (offsetSecs: number) =>
    batch(() => {
      app.setOffset(recording, offsetSecs);
      // The window must not move under the pointer.
      app.playback.setWindow(shown);
    });
  let isMoved = false;
  return afterThreshold(from, {
    move: ({ x }) => {
      isMoved = true;
      shift(recording.offsetSecs + scale.secs(x - from.x));
    },
    drop: () => {
      if (!isMoved) {
        app.activate(recording);
      } else if (showsAll) {
        app.playback.zoomToAll();
      }
    },
    cancel: () => shift(recording.offsetSecs),
  });
}

/** Ignores moves until the pointer has left the threshold. */
function afterThreshold(from: Point, drag: Drag): Drag {
  let isMoving = false;
  return {
    ...drag,
    move: (at) => {
      isMoving ||= Math.abs(at.x - from.x) > DRAG_THRESHOLD_PX;
      if (isMoving) {
        drag.move(at);
      }
    },
  };
}
