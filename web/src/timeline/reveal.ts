/** Keeps the playhead in the window: it turns the page when time runs out of it. */

import { effect } from "@preact/signals-core";
import type { Span } from "../api";
import type { App } from "../app";

const MARGIN = 0.1;

export function revealPlayhead(app: App): void {
  const { state } = app;
  let before = state.time.value;
  effect(() => {
    const time = state.time.value;
    const window = state.window.peek();
    const isPlaying = state.playing.peek();
    // Who moved the window away while it plays wants to look elsewhere.
    const isLookingElsewhere = isPlaying && !isWithin(before, window);
    if (!isWithin(time, window) && !isLookingElsewhere) {
      const length = window[1] - window[0];
      const start = time - length * (isPlaying || time > before ? MARGIN : 1 - MARGIN);
      app.setWindow([start, start + length]);
    }
    before = time;
  });
}

function isWithin(time: number, [from, to]: Span): boolean {
  return time >= from && time <= to;
}
