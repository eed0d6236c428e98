/** Which curves are drawn: a tree to look in, a field to search with, and what is wanted most. */

import { computed, effect, type ReadonlySignal } from "@preact/signals-core";
import "./curves.css";
import type { App } from "../app";
import { element } from "../dom";
import { formatCount } from "../number-format";
import type { Curve, RecordingCurves } from "../recording/decode";
import { type Branch, type QuickPick, quickPicksOf, searchCurves, treeOf } from "./curve-model";
import { paragraph, setChildren, whileShown } from "./panel";
import { PickBoxes } from "./pick-boxes";

/** A list of more than these is no answer. */
const MOST_FOUND = 60;

export function mountCurvePicker(host: HTMLElement, app: App): void {
  const { state } = app;
  const picks = element("div", { class: "quick-picks" });
  const curves = computed(() => state.active.value?.curves ?? null);
  whileShown(state, "curves", () => {
    const quick = curves.value === null ? [] : quickPicksOf(curves.value);
    setChildren(picks, ...quick.map((pick) => quickButton(app, pick)));
  });
  host.append(picks, clearRow(app), ...searchable(app, curves));
}

/** The field and the tree. The tree is made once for each tape, so that what was opened in it stays open. */
function searchable(app: App, curves: ReadonlySignal<RecordingCurves | null>): HTMLElement[] {
  const boxes = new PickBoxes(app);
  const search = element("input", { type: "search", placeholder: "Search: left tip y", "aria-label": "Search curves" });
  const results = element("div", { class: "curve-results" });
  let drawn: RecordingCurves | null = null;
  const draw = () => {
    boxes.clear();
    drawn = curves.value;
    setChildren(results, ...(drawn === null ? [] : matches(drawn, search.value.trim(), boxes)));
  };
  search.addEventListener("input", draw);
  whileShown(app.state, "curves", () => {
    if (curves.value !== drawn) {
      draw();
    }
  });
  return [search, results];
}

function matches(curves: RecordingCurves, query: string, boxes: PickBoxes): HTMLElement[] {
  if (query === "") {
    return treeOf(curves).map((branch) => branchView(branch, boxes));
  }
  const found = searchCurves(curves, query);
  const rows = found.slice(0, MOST_FOUND).map((curve) => leafView(curve, curve.name, boxes));
  const rest = found.length - rows.length;
  const words = found.length === 0 ? "No curve has these words in its name." : `and ${rest} more`;
  return rest > 0 || found.length === 0 ? [...rows, paragraph(words)] : rows;
}

/** What is inside is made when it is opened for the first time: there are hundreds. */
function branchView(branch: Branch, boxes: PickBoxes): HTMLElement {
  const { label, name, picked, keyCount, leaves, branches } = branch;
  const summary = element(
    "summary",
    {},
    label,
    element("span", { class: "key-count muted numbers" }, formatCount(keyCount, "key")),
  );
  const details = element("details", {}, summary);
  const fill = () => {
    const short = (curve: Curve) => curve.name.slice(name.length + 1);
    details.append(...leaves.map((curve) => leafView(curve, short(curve), boxes)));
    details.append(...branches.map((inner) => branchView(inner, boxes)));
  };
  details.addEventListener("toggle", fill, { once: true });
  const box = picked.length === 0 ? null : boxes.make(picked, `${label}, ${picked.length} curves`);
  return element("div", { class: "branch" }, box, details);
}

function leafView(curve: Curve, label: string, boxes: PickBoxes): HTMLElement {
  const keys = element("span", { class: "key-count muted numbers" }, formatCount(curve.times.length, "key"));
  return element("label", { class: "leaf" }, boxes.make([curve.name]), element("span", {}, label), keys);
}

function quickButton(app: App, { label, names }: QuickPick): HTMLElement {
  const isShown = names.every((name) => app.state.drawnCurves.value.includes(name));
  const button = element("button", { type: "button", "aria-pressed": `${isShown}`, "data-key": label }, label);
  button.addEventListener("click", () => app.showCurves(names, !isShown));
  return button;
}

function clearRow(app: App): HTMLElement {
  const words = element("span", { class: "muted" });
  const clear = element("button", { type: "button" }, "Clear all");
  clear.addEventListener("click", () => app.showCurves(app.state.drawnCurves.value, false));
  effect(() => {
    const { length } = app.state.drawnCurves.value;
    words.textContent = length === 0 ? "None shown" : `${length} shown`;
    clear.disabled = length === 0;
  });
  return element("div", { class: "clear-row" }, words, clear);
}
