/** Curves by name, under the timeline and in step with it. */

import { computed } from "@preact/signals";
import "./curves.css";
import type { App } from "../app";
import { element } from "../dom";
import { themeChanges } from "../theme";
import { oncePerFrame } from "../timeline/once-per-frame";
import { Chart } from "./chart";
import { CurveColors } from "./colors";
import { followGestures } from "./gestures";
import { Legend } from "./legend";
import { linesOf, picksOf } from "./lines";
import { Playhead } from "./playhead";

export function mountChart(host: HTMLElement, app: App): void {
  const { state } = app;
  const frame = element("div", { class: "curve-chart", role: "img", "aria-label": "Chart of the curves in the list" });
  const playhead = new Playhead(state);
  const chart = new Chart(
    frame,
    () => state.window.peek(),
    () => playhead.move(chart.over),
  );
  const legend = new Legend(app, (name) => chart.focus(name));
  host.append(frame, legend.view);
  followGestures(frame, chart, app);

  const colors = new CurveColors();
  const picked = computed(() => picksOf(state, colors));
  oncePerFrame(
    () => [picked.value, themeChanges.value] as const,
    ([picked]) => {
      chart.show(linesOf(picked));
      legend.show(picked);
    },
  );
  oncePerFrame(
    () => state.window.value,
    () => chart.refresh(),
  );
  oncePerFrame(
    () => state.time.value,
    () => playhead.move(chart.over),
  );
  new ResizeObserver(() => chart.resize()).observe(frame);
}
