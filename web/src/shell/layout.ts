/** The areas of the page. */

import { effect } from "@preact/signals";
import "./layout.css";
import { element } from "../dom";
import type { State } from "../state";

export function buildLayout(body: HTMLElement, state: State) {
  const layout = {
    bar: element("header", { class: "bar" }),
    live: element("div", { class: "live" }),
    scene: element("main", { class: "scene" }),
    loading: element("div", { class: "loading" }),
    timeline: element("section", { class: "timeline", "aria-label": "Timeline" }),
    curves: element("section", { class: "curves", "aria-label": "Curves" }),
    panels: element("aside", { class: "panels", "aria-label": "Panels" }),
  };
  const page = element("div", { class: "page" }, ...Object.values(layout));
  const help = element("div");
  effect(() => {
    page.classList.toggle("without-panels", state.panel.value === null);
    layout.curves.hidden = state.drawnCurves.value.length === 0;
  });
  body.append(page, help);
  return { ...layout, help };
}
