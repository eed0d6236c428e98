/** Assigns a colour of the style sheet to each curve, unique as long as there are enough colours. */

import { lowestUnused } from "../search";

const COLOURS = ["accent", "right", "ok", "gaze", "left", "recording-3", "marker", "head"] as const;

export class CurveColors {
  private slots = new Map<string, number>();

  /** Returns a colour name for each curve. Curves keep their colours between calls. */
  coloursOf(names: readonly string[]): ReadonlyMap<string, string> {
    const kept = new Map([...this.slots].filter(([name]) => names.includes(name)));
    for (const name of names) {
      if (!kept.has(name)) {
        kept.set(name, lowestUnused([...kept.values()]));
      }
    }
    this.slots = kept;
    return new Map(names.map((name) => [name, COLOURS[(kept.get(name) ?? 0) % COLOURS.length] as string]));
  }
}
