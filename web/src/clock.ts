/** Moves time on while playing. */

import { effect } from "@preact/signals-core";
import type { App } from "./app";

/** A tab that was in the background comes back with a long frame: that is no reason to jump. */
const MAX_STEP_SECS = 0.25;

export function runClock(app: App): void {
  const { state } = app;
  let last: number | null = null;
  let isDue = false;

  const tick = (now: number) => {
    isDue = false;
    if (!state.playing.value) {
      last = null;
      return;
    }
    const passed = last === null ? 0 : Math.min((now - last) / 1000, MAX_STEP_SECS);
    last = now;
    advance(app, passed * state.speed.value);
    wait();
  };
  // Whatever stops and starts within a frame, it has one tick.
  const wait = () => {
    if (!isDue) {
      isDue = true;
      requestAnimationFrame(tick);
    }
  };

  effect(() => {
    if (state.playing.value) {
      wait();
    }
  });
}

function advance(app: App, secs: number): void {
  const { state } = app;
  const [from, to] = app.playedSpan();
  const next = state.time.value + secs;
  if (next < to) {
    app.seek(next);
  } else if (state.looping.value) {
    app.seek(from + ((next - from) % (to - from)));
  } else {
    app.seek(to);
    state.playing.value = false;
  }
}
