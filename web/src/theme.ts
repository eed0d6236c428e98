/** Light or dark, and the colours of the style sheet for what is drawn on a canvas. */

import { effect, type ReadonlySignal, signal } from "@preact/signals-core";
import type { State } from "./state";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const changes = signal(0);

/** Read it to be told when the colours change. */
export const themeChanges: ReadonlySignal<number> = changes;

export function followTheme(state: State): void {
  effect(() => {
    const { theme } = state;
    document.documentElement.dataset.theme = theme.value;
    changes.value = changes.peek() + 1;
  });
  dark.addEventListener("change", () => {
    changes.value += 1;
  });
}

/** A colour of `base.css`, by its name without the dashes, as the browser would paint it now: `rgb(…)`. */
export function colour(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** How many colours there are for recordings that are shown together. */
const TINTS = 4;

export function tintName(tint: number): string {
  return `take-${tint % TINTS}`;
}
