/** The chart of the selected curves, which shows the same window as the timeline. */

import { computed } from "@preact/signals";
import { render } from "preact";
import "./chart.css";
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
  const frame = element("div", { class: "curve-chart", role: "img", "aria-label": "Chart of the listed curves" });
  const playhead = new Playhead(state);
  const chart = new Chart(
    frame,
    () => state.window.peek(),
    () => playhead.move(chart.over),
  );
  const legend = element("div", { class: "curve-legend-host" });
  host.append(frame, legend);
  followGestures(frame, chart, app);

  const colors = new CurveColors();
  const picked = computed(() => picksOf(state, colors));
  render(<Legend app={app} picked={picked} onHighlight={(name) => chart.focus(name)} />, legend);
  oncePerFrame(
    () => [picked.value, themeChanges.value] as const,
    ([picked]) => chart.show(linesOf(picked)),
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
