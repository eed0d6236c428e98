/** The colours of the timeline, read from the style sheet once per theme. */

import { computed } from "@preact/signals";
import { colour, themeChanges } from "../theme";

const NAMES = ["surface", "line", "text", "muted", "accent", "marker"] as const;

export type TimelineColors = Readonly<Record<(typeof NAMES)[number], string>> & {
  /** A colour of `base.css` by name. */
  of(name: string): string;
};

export const timelineColors = computed((): TimelineColors => {
  // Recomputes when the theme changes.
  themeChanges.value;
  const cache = new Map<string, string>();
  const of = (name: string) => {
    const color = cache.get(name) ?? colour(name);
    cache.set(name, color);
    return color;
  };
  const named = Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<(typeof NAMES)[number], string>;
  return { ...named, of };
});
