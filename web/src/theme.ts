/** Light or dark, and the colours of the style sheet for what is drawn on a canvas. */

import { effect, type ReadonlySignal, signal } from "@preact/signals-core";
import type { State, Theme } from "./state";

const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");
const changes = signal(0);

/** Read it to be told when the colours change. */
export const themeChanges: ReadonlySignal<number> = changes;

const STORAGE_KEY = "holotape-theme";

export function followTheme(state: State): void {
  const { theme } = state;
  theme.value = loadTheme() ?? theme.value;
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    saveTheme(theme.value);
    changes.value = changes.peek() + 1;
  });
  darkQuery.addEventListener("change", () => {
    changes.value += 1;
  });
}

/** What was chosen at the last visit. */
function loadTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null; // Browsers can be told to keep nothing.
  }
}

function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Then the next visit begins as the system wants it.
  }
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
const RECORDING_COLOR_COUNT = 4;

export function recordingColorName(colorIndex: number): string {
  return `take-${colorIndex % RECORDING_COLOR_COUNT}`;
}
