/** The light or dark theme, and the colours of the style sheet for canvases. */

import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { App } from "./app";
import type { Theme } from "./state";

const changes = signal(0);
/** The colours that were read since the last change. */
const colours = new Map<string, string>();

/** Changes whenever the colours do. */
export const themeChanges: ReadonlySignal<number> = changes;

const STORAGE_KEY = "holotape-theme";

export function followTheme({ state: { theme }, view }: App): void {
  view.setTheme(loadTheme() ?? theme.value);
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    saveTheme(theme.value);
    dropColours();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dropColours);
}

function dropColours(): void {
  colours.clear();
  changes.value = changes.peek() + 1;
}

function loadTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === "light" || stored === "dark" ? stored : null;
  } catch {
    return null; // Storage can be disabled in the browser.
  }
}

function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage can be disabled: the next visit starts with the system theme.
  }
}

/** The current value of a colour of `base.css` (a name without dashes), as `rgb(…)`. */
export function colour(name: string): string {
  const known = colours.get(name);
  if (known !== undefined) {
    return known;
  }
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  colours.set(name, color);
  return color;
}

/** `base.css` defines this many colours for recordings. */
const RECORDING_COLOR_COUNT = 4;

export function recordingColorName(colorIndex: number): string {
  return `recording-${colorIndex % RECORDING_COLOR_COUNT}`;
}
