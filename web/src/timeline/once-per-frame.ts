/** Drawing at most once per frame, and only after a change. */

import { effect } from "@preact/signals";

/** Reads signals immediately, and draws the latest value with the next frame. Returns a function that stops this. */
export function oncePerFrame<T>(read: () => T, draw: (value: T) => void): () => void {
  let latest: { readonly value: T } | null = null;
  return effect(() => {
    const isScheduled = latest !== null;
    latest = { value: read() };
    if (!isScheduled) {
      requestAnimationFrame(() => {
        const drawn = latest;
        latest = null;
        if (drawn !== null) {
          draw(drawn.value);
        }
      });
    }
  });
}
