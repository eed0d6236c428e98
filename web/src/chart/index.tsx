/** The chart of the selected curves, which shows the same window as the timeline. */

import { computed } from "@preact/signals";
import { render } from "preact";
import "./chart.css";
import type { App } from "../app";
import { element } from "../dom";
import { themeChanges } from "../theme";
import { oncePerFrame } from "../timeline/once-per-frame";
import { Chart } from "./chart";
import { followGestures } from "./gestures";
import { Legend } from "./legend";
import { CurveColors, linesOf, picksOf } from "./lines";

export function mountChart(host: HTMLElement, app: App): void {
  const { state } = app;
  const frame = element("div", { class: "curve-chart", role: "img", "aria-label": "Chart of the listed curves" });
  // A separate element, so that moving it does not redraw the curves.
  const playhead = element("div", { class: "curve-playhead", "aria-hidden": "true" });
  const movePlayhead = () => {
    const [from, to] = state.window.value;
    const fraction = (state.time.value - from) / (to - from);
    playhead.hidden = fraction < 0 || fraction > 1;
    playhead.style.transform = `translateX(${fraction * (chart.over?.clientWidth ?? 0)}px)`;
    if (playhead.parentElement !== chart.over) {
      chart.over?.append(playhead);
    }
  };
  const chart = new Chart(frame, () => state.window.peek(), movePlayhead);
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
  oncePerFrame(() => state.time.value, movePlayhead);
  new ResizeObserver(() => chart.resize()).observe(frame);
}
