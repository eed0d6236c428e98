/** What the scene says in words, in its corner: which takes there are, what is missing, how far they are apart. */

import { element } from "../dom";
import { recordingColorName } from "../theme";
import { type DifferenceSummary, type DistanceStats, FULL_SCALE_MM } from "./difference";

export interface HudContent {
  readonly recordings: readonly {
    readonly name: string;
    readonly colorIndex: number;
    readonly isLive: boolean;
    readonly notes: readonly string[];
  }[];
  readonly notes: readonly { readonly text: string; readonly help: string }[];
  /** Nothing if it is not asked for. */
  readonly difference?: DifferenceSummary;
}

export class Hud {
  private readonly host = element("div", { class: "scene-hud" });
  private format = "";

  constructor(parent: HTMLElement) {
    parent.append(this.host);
  }

  show(content: HudContent): void {
    const key = JSON.stringify(content);
    if (key === this.format) {
      return;
    }
    this.format = key;
    this.host.replaceChildren(...content.recordings.map(recordingLine), ...content.notes.map(noteLine));
    if (content.difference !== undefined) {
      this.host.append(...differenceLines(content.difference));
    }
  }
}

function recordingLine({ name, colorIndex, isLive, notes }: HudContent["recordings"][number]): HTMLElement {
  const swatch = element("span", { class: "scene-swatch" });
  swatch.style.background = `var(--${recordingColorName(colorIndex)})`;
  const text = notes.map((note) => element("span", { class: "scene-note" }, note));
  return element(
    "div",
    { class: "scene-recording" },
    isLive ? element("span", { class: "live-mark" }, "LIVE") : swatch,
    element("span", { class: "scene-name", title: name }, name),
    ...text,
  );
}

function noteLine({ text, help }: HudContent["notes"][number]): HTMLElement {
  return element("div", { class: "muted", title: help }, text);
}

function differenceLines({ distance, rotation }: DifferenceSummary): HTMLElement[] {
  if (distance === null && rotation === null) {
    return [element("div", { class: "muted" }, "nothing to compare at this moment")];
  }
  return [
    ...(distance === null ? [] : statsLines(distance, "apart", millimetres)),
    ...(rotation === null ? [] : statsLines(rotation, "turned", degrees)),
    ...(distance === null ? [] : [scaleLine()]),
  ];
}

function statsLines(
  { mean, max: largest, subject: at }: DistanceStats,
  word: string,
  format: (value: number) => string,
): HTMLElement[] {
  const figures = `${word}: mean ${format(mean)}, largest ${format(largest)}`;
  const isNonZero = format(largest) !== format(0);
  return [
    element("div", { class: "numbers" }, figures),
    ...(isNonZero ? [element("div", { class: "muted" }, `most at ${at}`)] : []),
  ];
}

function scaleLine(): HTMLElement {
  return element(
    "div",
    {
      class: "scene-scale numbers",
      role: "img",
      "aria-label": `Colours: green for 0 mm to red for ${FULL_SCALE_MM} mm and more`,
    },
    "0",
    element("span", { class: "scene-ramp" }),
    `${FULL_SCALE_MM} mm+`,
  );
}

function degrees(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)}°`;
}

function millimetres(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} mm`;
}
