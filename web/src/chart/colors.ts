/** Which colour a curve has: one of the style sheet that no other curve on the chart has, as long as there are any. */

const COLOURS = ["accent", "right", "ok", "gaze", "left", "recording-3", "marker", "head"] as const;

export class CurveColors {
  private slots = new Map<string, number>();

  /** Names of colours, one for each curve. Those that were there before keep theirs. */
  coloursOf(names: readonly string[]): ReadonlyMap<string, string> {
    const kept = new Map([...this.slots].filter(([name]) => names.includes(name)));
    for (const name of names) {
      if (!kept.has(name)) {
        kept.set(name, lowestUnused(new Set(kept.values())));
      }
    }
    this.slots = kept;
    return new Map(names.map((name) => [name, COLOURS[(kept.get(name) ?? 0) % COLOURS.length] as string]));
  }
}

function lowestUnused(used: ReadonlySet<number>): number {
  let slot = 0;
  while (used.has(slot)) {
    slot++;
  }
  return slot;
}
