/** The labels of the lanes. */

import { effect } from "@preact/signals";
import { element } from "../dom";
import type { Lane } from "./lanes";
import type { TimelineView } from "./view";

export function mountLabels(gutter: HTMLElement, view: TimelineView): void {
  effect(() => {
    gutter.replaceChildren(...view.lanes.value.filter(({ label }) => label !== "").map(labelOf));
  });
}

function labelOf({ label, colour, top, height }: Lane): HTMLElement {
  const swatch = element("span", { class: "lane-swatch" });
  swatch.style.background = `var(--${colour})`;
  const text = element("span", { class: "lane-text" }, label);
  const row = element("div", { class: "lane-label", title: label }, swatch, text);
  row.style.top = `${top}px`;
  row.style.height = `${height}px`;
  return row;
}
