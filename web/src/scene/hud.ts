/** The overlay in the corner of the scene: names of the recordings, notes, and the difference. */

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
  /** Missing if the difference is not shown. */
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
    return [element("div", { class: "muted" }, "nothing to compare at this time")];
  }
  return [
    ...(distance === null ? [] : statsLines(distance, "distance", millimetres)),
    ...(rotation === null ? [] : statsLines(rotation, "rotation", degrees)),
    ...(distance === null ? [] : [scaleLine()]),
  ];
}

function statsLines(
  { mean, max: largest, subject: at }: DistanceStats,
  label: string,
  format: (value: number) => string,
): HTMLElement[] {
  const figures = `${label}: mean ${format(mean)}, max ${format(largest)}`;
  const isNonZero = format(largest) !== format(0);
  return [
    element("div", { class: "numbers" }, figures),
    ...(isNonZero ? [element("div", { class: "muted" }, `max at ${at}`)] : []),
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
