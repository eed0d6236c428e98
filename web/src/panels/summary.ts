/** A take in numbers. */

import type { HandInfo, RecordingInfo, Span } from "../api";
import { element } from "../dom";
import { formatCount, formatPercent } from "../number-format";
import { heading, paragraph } from "./panel";

/** Tracking that ends so close to the end of the take was not lost. */
const END_SECS = 1e-3;

export function recordingSummary(info: RecordingInfo): HTMLElement {
  return element(
    "div",
    { class: "facts" },
    heading(info.name),
    info.channels.hands ? handTable(info) : paragraph("No hands in this recording."),
    paragraph(otherCounts(info).join(" · ")),
    lossesOf(info),
  );
}

function handTable({ left, right, durationSecs }: RecordingInfo): HTMLElement {
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
      row("Tracked", (hand) => (durationSecs > 0 ? formatPercent(secsIn(hand.tracked) / durationSecs) : "–")),
      row("Tracking lost", (hand) => formatCount(lostIn(hand, durationSecs), "time")),
      row("Pinches", (hand) => `${hand.pinching.length}`),
    ),
  );
}

function columnHead(words: string, hand: "left" | "right"): HTMLElement {
  return element("th", { scope: "col", class: `of-${hand}` }, words);
}

function otherCounts({ channels, fixations, markers }: RecordingInfo): string[] {
  return [
    channels.camera ? null : "no head",
    channels.gaze ? formatCount(fixations.length, "fixation") : "no gaze",
    formatCount(markers.length, "marker"),
  ].filter((words) => words !== null);
}

/** What the file had that a recording has no place for. */
function lossesOf({ losses }: RecordingInfo): HTMLElement | null {
  const rows = losses.map((loss) => element("li", {}, loss));
  return rows.length === 0 ? null : element("div", {}, heading("Not kept"), element("ul", {}, ...rows));
}

function secsIn(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + to - from, 0);
}

function lostIn({ tracked }: HandInfo, durationSecs: number): number {
  return tracked.filter(([, to]) => to < durationSecs - END_SECS).length;
}
