/** A take in numbers. */

import type { HandInfo, Span, TakeInfo } from "../api";
import { element } from "../dom";
import { countWords, shareWords } from "../words";
import { heading, paragraph } from "./panel";

/** Tracking that ends so close to the end of the take was not lost. */
const END_SECS = 1e-3;

export function factsOf(info: TakeInfo): HTMLElement {
  return element(
    "div",
    { class: "facts" },
    heading(info.name),
    info.channels.hands ? handTable(info) : paragraph("No hands in this recording."),
    paragraph(othersOf(info).join(" · ")),
    lossesOf(info),
  );
}

function handTable({ left, right, durationSecs }: TakeInfo): HTMLElement {
  const row = (words: string, of: (hand: HandInfo) => string) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, words),
      element("td", { class: "numbers" }, of(left)),
      element("td", { class: "numbers" }, of(right)),
    );
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, element("td"), columnHead("Left", "left"), columnHead("Right", "right"))),
    element(
      "tbody",
      {},
      row("Tracked", (hand) => (durationSecs > 0 ? shareWords(secsIn(hand.tracked) / durationSecs) : "–")),
      row("Tracking lost", (hand) => countWords(lostIn(hand, durationSecs), "time")),
      row("Pinches", (hand) => `${hand.pinching.length}`),
    ),
  );
}

function columnHead(words: string, hand: "left" | "right"): HTMLElement {
  return element("th", { scope: "col", class: `of-${hand}` }, words);
}

function othersOf({ channels, fixations, markers }: TakeInfo): string[] {
  return [
    channels.camera ? null : "no head",
    channels.gaze ? countWords(fixations.length, "fixation") : "no gaze",
    countWords(markers.length, "marker"),
  ].filter((words) => words !== null);
}

/** What the file had that a recording has no place for. */
function lossesOf({ losses }: TakeInfo): HTMLElement | null {
  const rows = losses.map((loss) => element("li", {}, loss));
  return rows.length === 0 ? null : element("div", {}, heading("Not kept"), element("ul", {}, ...rows));
}

function secsIn(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function lostIn({ tracked }: HandInfo, durationSecs: number): number {
  return tracked.filter(([, to]) => to < durationSecs - END_SECS).length;
}
