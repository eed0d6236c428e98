/** Keeps the playhead in the window during playback. */

import { effect } from "@preact/signals";
import type { Span } from "../api";
import type { App } from "../app";

const MARGIN_FRACTION = 0.1;

export function revealPlayhead(app: App): void {
  const { state } = app;
  let previousTime = state.time.value;
  effect(() => {
    const time = state.time.value;
    const window = state.window.peek();
    const isPlaying = state.playing.peek();
    // A user who panned away during playback wants to look elsewhere.
    const wasPannedAway = isPlaying && !isWithin(previousTime, window);
    if (!isWithin(time, window) && !wasPannedAway) {
      const length = window[1] - window[0];
      const start = time - length * (isPlaying || time > previousTime ? MARGIN_FRACTION : 1 - MARGIN_FRACTION);
      app.playback.setWindow([start, start + length]);
    }
    previousTime = time;
  });
}

function isWithin(time: number, [from, to]: Span): boolean {
  return time >= from && time <= to;
}
