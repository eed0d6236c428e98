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
      app.seek(hit.finding.spanSecs[0] + hit.take.offsetSecs);
      return scrub(app, view);
    case "strip":
      return shiftTake(app, view, hit.take, at);
    default:
      app.seek(view.scale.value.timeWithin(at.x));
      return scrub(app, view);
  }
}

/** Time follows the pointer. */
function scrub(app: App, view: View): Drag {
  return paused(app, {
    move: ({ x }) => app.seek(view.scale.value.timeWithin(x)),
    drop: () => {},
    cancel: () => {},
  });
}

/** What was playing plays on when it is let go. */
function paused(app: App, drag: Drag): Drag {
  const { playing } = app.state;
  const wasPlaying = playing.value;
  playing.value = false;
  const then = (end: () => void) => () => {
    end();
    playing.value = wasPlaying;
  };
  return { ...drag, drop: then(drag.drop), cancel: then(drag.cancel) };
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
  app.seek(marker.time);
  if (take === null || !canEdit(app)) {
    return onceMoved(from, scrub(app, view));
  }
  const grip = from.x - view.scale.value.x(marker.time);
  let held: MovedMarker | null = null;
  const drag: Drag = {
    move: ({ x }) => {
      const time = view.scale.value.timeWithin(x - grip);
      held = { takeId: take.info.id, index: marker.index, time };
      view.moved.value = held;
      app.seek(time);
    },
    drop: () => void (held && keepMarker(app, view, take, held)),
    cancel: () => held && letGo(view, held),
  };
  return onceMoved(from, paused(app, drag));
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
