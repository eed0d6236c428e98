/** What a drag does, by what it began on. */

import { batch } from "@preact/signals-core";
import type { App } from "../app";
import { ownTime, type Take } from "../state";
import { canEdit } from "./actions";
import type { PlacedMarker } from "./flags";
import { hitAt } from "./hits";
import type { MovedMarker } from "./markers";
import type { Drag, Point } from "./pointer";
import type { View } from "./view";

/** A hand that clicks is never quite still. */
const STILL_PIXELS = 4;

export function graspAt(app: App, view: View, at: Point, event: PointerEvent): Drag {
  if (event.shiftKey) {
    return selectRange(app, view, at);
  }
  const hit = hitAt(view, at);
  switch (hit?.kind) {
    case "marker":
      return holdMarker(app, view, hit.marker, at);
    case "finding":
      return scrub(app, view, hit.finding.spanSecs[0] + hit.take.offsetSecs);
    case "strip":
      return shiftTake(app, view, hit.take, at);
    default:
      return scrub(app, view, view.scale.value.timeWithin(at.x));
  }
}

/** Goes to a time, and from there time follows the pointer. */
function scrub(app: App, view: View, start: number): Drag {
  const drag = paused(app, {
    move: ({ x }) => app.seek(view.scale.value.timeWithin(x)),
    drop: () => {},
    cancel: () => {},
  });
  app.seek(start);
  return drag;
}

/** What was playing plays on when it is let go; from where it was if nothing was meant. */
export function paused(app: App, drag: Drag): Drag {
  const { playing, time } = app.state;
  const [wasPlaying, before] = [playing.value, time.value];
  playing.value = false;
  const drop = () => {
    drag.drop();
    playing.value = wasPlaying;
  };
  const cancel = () => {
    drag.cancel();
    app.seek(before);
    playing.value = wasPlaying;
  };
  return { ...drag, drop, cancel };
}

function selectRange(app: App, view: View, { x }: Point): Drag {
  const before = app.state.range.value;
  const start = view.scale.value.timeWithin(x);
  app.setRange(null);
  return {
    move: (at) => app.setRange([start, view.scale.value.timeWithin(at.x)]),
    drop: () => {},
    cancel: () => app.setRange(before),
  };
}

/** A click goes to the marker; dragging moves it where that is allowed, and time elsewhere. */
function holdMarker(app: App, view: View, marker: PlacedMarker, from: Point): Drag {
  const take = app.state.active.value;
  if (take === null || !canEdit(app)) {
    return onceMoved(from, scrub(app, view, marker.time));
  }
  const grip = from.x - view.scale.value.x(marker.time);
  let place: MovedMarker | null = null;
  const drag: Drag = {
    move: ({ x }) => {
      const time = view.scale.value.timeWithin(x - grip);
      place = { takeId: take.info.id, index: marker.index, time };
      view.moved.value = place;
      app.seek(time);
    },
    drop: () => void (place && keepMarker(app, view, take, place)),
    cancel: () => place && letGo(view, place),
  };
  const held = paused(app, drag);
  app.seek(marker.time);
  return onceMoved(from, held);
}

/** The flag stays where it was put until the server has said what became of it. */
async function keepMarker(app: App, view: View, take: Take, held: MovedMarker): Promise<void> {
  await app.edit(take, { op: "moveMarker", index: held.index, time: ownTime(take, held.time) });
  letGo(view, held);
}

/** Unless another has been taken since. */
function letGo({ moved }: View, held: MovedMarker): void {
  if (moved.value === held) {
    moved.value = null;
  }
}

/** A click makes the take the active one; dragging moves it against the others. */
function shiftTake(app: App, view: View, take: Take, from: Point): Drag {
  const { window, span } = app.state;
  const [shown, scale] = [window.value, view.scale.value];
  const showsAll = shown[0] <= span.value[0] && shown[1] >= span.value[1];
  const shift = (offsetSecs: number) =>
    batch(() => {
      app.setOffset(take, offsetSecs);
      // What is held must not run away under the pointer.
      app.setWindow(shown);
    });
  let isMoved = false;
  return onceMoved(from, {
    move: ({ x }) => {
      isMoved = true;
      shift(take.offsetSecs + scale.secs(x - from.x));
    },
    drop: () => {
      if (!isMoved) {
        app.activate(take);
      } else if (showsAll) {
        app.showAllOfTheTime();
      }
    },
    cancel: () => shift(take.offsetSecs),
  });
}

/** Lets nothing through until the pointer has really moved. */
function onceMoved(from: Point, drag: Drag): Drag {
  let isMoving = false;
  return {
    ...drag,
    move: (at) => {
      isMoving ||= Math.abs(at.x - from.x) > STILL_PIXELS;
      if (isMoving) {
        drag.move(at);
      }
    },
  };
}
