/** What the scene says in words, in its corner: which takes there are, what is missing, how far they are apart. */

import { element } from "../dom";
import { recordingColorName } from "../theme";
import { type DistanceStats, FULL_SCALE_MM, type Summary } from "./difference";

export interface HudContent {
  readonly recordings: readonly {
    readonly name: string;
    readonly tint: number;
    readonly isLive: boolean;
    readonly notes: readonly string[];
  }[];
  readonly notes: readonly { readonly words: string; readonly help: string }[];
  /** Nothing if it is not asked for. */
  readonly difference?: Summary;
}

export class Hud {
  private readonly host = element("div", { class: "scene-hud" });
  private shown = "";

  constructor(parent: HTMLElement) {
    parent.append(this.host);
  }

  show(content: HudContent): void {
    const key = JSON.stringify(content);
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    this.host.replaceChildren(...content.recordings.map(recordingLine), ...content.notes.map(noteLine));
    if (content.difference !== undefined) {
      this.host.append(...differenceLines(content.difference));
    }
  }
}

function recordingLine({ name, tint: colorIndex, isLive, notes }: HudContent["recordings"][number]): HTMLElement {
  const swatch = element("span", { class: "scene-swatch" });
  swatch.style.background = `var(--${recordingColorName(colorIndex)})`;
  const words = notes.map((note) => element("span", { class: "scene-note" }, note));
  return element(
    "div",
    { class: "scene-take" },
    isLive ? element("span", { class: "live-mark" }, "LIVE") : swatch,
    element("span", { class: "scene-name", title: name }, name),
    ...words,
  );
}

function noteLine({ words, help }: HudContent["notes"][number]): HTMLElement {
  return element("div", { class: "muted", title: help }, words);
}

function differenceLines({ apart, turned }: Summary): HTMLElement[] {
  if (apart === null && turned === null) {
    return [element("div", { class: "muted" }, "nothing to compare at this moment")];
  }
  return [
    ...(apart === null ? [] : spreadLines(apart, "apart", millimetres)),
    ...(turned === null ? [] : spreadLines(turned, "turned", degrees)),
    ...(apart === null ? [] : [scaleLine()]),
  ];
}

function spreadLines(
  { mean, largest, at }: DistanceStats,
  word: string,
  shown: (value: number) => string,
): HTMLElement[] {
  const figures = `${word}: mean ${shown(mean)}, largest ${shown(largest)}`;
  const isSomewhere = shown(largest) !== shown(0);
  return [
    element("div", { class: "numbers" }, figures),
    ...(isSomewhere ? [element("div", { class: "muted" }, `most at ${at}`)] : []),
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
