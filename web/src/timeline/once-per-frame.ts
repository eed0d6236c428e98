/** Drawing at most once a frame, and only after a change. */

import { effect } from "@preact/signals-core";

/** Reads signals at once, and draws what was read last when the next frame comes. */
export function oncePerFrame<T>(read: () => T, draw: (value: T) => void): void {
  let latest: { readonly value: T } | null = null;
  effect(() => {
    const isAsked = latest !== null;
    latest = { value: read() };
    if (!isAsked) {
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
