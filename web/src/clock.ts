/** Advances time while playing. */

import { effect } from "@preact/signals";
import type { App } from "./app";

/** The first frame of a tab that returns from the background is long: time must not jump by it. */
const MAX_STEP_SECS = 0.25;

export function runClock({ state, playback }: App): void {
  let last: number | null = null;
  let isScheduled = false;

  const tick = (now: number) => {
    isScheduled = false;
    if (!state.playing.value) {
      last = null;
      return;
    }
    const elapsed = last === null ? 0 : Math.min((now - last) / 1000, MAX_STEP_SECS);
    last = now;
    playback.advance(elapsed * state.speed.value);
    schedule();
  };
  // Pausing and playing within one frame must not schedule two ticks.
  const schedule = () => {
    if (!isScheduled) {
      isScheduled = true;
      requestAnimationFrame(tick);
    }
  };

  effect(() => {
    if (state.playing.value) {
      schedule();
    }
  });
}
