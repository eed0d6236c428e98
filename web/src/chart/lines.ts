/** The lines of the chart: selected curves of the active recording and of the one it is compared with. */

import type { Curve } from "../recording/decode";
import { lowestUnused } from "../search";
import type { OpenRecording, State } from "../state";

/** Metres, or unitless: components of rotations and directions, and flags. */
export type ScaleName = "metres" | "plain";

export interface Line {
  readonly name: string;
  readonly curve: Curve;
  readonly recording: OpenRecording;
  readonly scale: ScaleName;
  /** A colour name of the style sheet. */
  readonly colour: string;
  /** Whether it belongs to the recording that the active one is compared with. */
  readonly isReference: boolean;
}

/** A selected curve and its lines; `null` if a recording has no such curve. */
export interface PickedCurve {
  readonly name: string;
  readonly colour: string;
  readonly own: Line | null;
  readonly other: Line | null;
}

const COLOURS = ["accent", "right", "ok", "gaze", "left", "recording-3", "marker", "head"] as const;

/** Assigns a colour of the style sheet to each curve, unique as long as there are enough colours. */
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

export function picksOf(state: State, colors: CurveColors): readonly PickedCurve[] {
  const names = state.drawnCurves.value;
  const colours = colors.coloursOf(names);
  const active = state.active.value;
  const other = comparedRecording(state);
  return names.map((name) => {
    const colour = colours.get(name) ?? "text";
    return { name, colour, own: lineOf(name, colour, active, false), other: lineOf(name, colour, other, true) };
  });
}

/** Lines of the compared recording come first, so that those of the active one are drawn on top. */
export function linesOf(picks: readonly PickedCurve[]): readonly Line[] {
  return [...picks.map((pick) => pick.other), ...picks.map((pick) => pick.own)].filter((line) => line !== null);
}

function comparedRecording(state: State): OpenRecording | null {
  const pair = state.difference.value ? state.comparedPair.value : null;
  return pair && (pair.a.info.id === state.activeId.value ? pair.b : pair.a);
}

function lineOf(name: string, colour: string, recording: OpenRecording | null, isReference: boolean): Line | null {
  const curve = recording?.curves.byName.get(name);
  return recording === null || curve === undefined
    ? null
    : { name, curve, recording, scale: scaleOf(name), colour, isReference };
}

function scaleOf(name: string): ScaleName {
  return name.includes(".position.") || name.startsWith("gaze.origin.") ? "metres" : "plain";
}
