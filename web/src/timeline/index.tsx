/** The timeline: playback controls, and lanes that show when things happened. */

import { effect } from "@preact/signals";
import { render } from "preact";
import "./timeline.css";
import type { App } from "../app";
import { element } from "../dom";
import { themeChanges } from "../theme";
import { beginDrag } from "./drags";
import { hitAt } from "./hits";
import { mountHover } from "./hover";
import { heightOf, type Lane } from "./lanes";
import { oncePerFrame } from "./once-per-frame";
import { paintTimeline } from "./paint";
import { mountPlayhead } from "./playhead";
import { followWheel, Pointers, pointOf } from "./pointer";
import { mountRange } from "./range";
import { revealPlayhead } from "./reveal";
import { Transport } from "./transport";
import { followSize, TimelineView } from "./view";

export function mountTimeline(host: HTMLElement, app: App): void {
  const view = new TimelineView(app.state);
  const gutter = element("div", { class: "lane-labels" });
  const canvas = element("canvas", { role: "slider", tabindex: 0, "aria-label": "Time" });
  const lanes = element("div", { class: "lanes" }, canvas);
  const area = element("div", { class: "lane-area" }, gutter, lanes);
  const controls = element("div", { class: "transport-host" });
  render(<Transport app={app} />, controls);
  render(<LaneLabels view={view} />, gutter);
  host.append(controls, area);

  followSize(lanes, view.size);
  mountCanvas(canvas, app, view);
  mountRange(lanes, app, view);
  mountPlayhead(lanes, canvas, app, view);
  mountHover(lanes, app, view);
  followGestures(lanes, app, view);
  followWheel(lanes, app, () => view.scale.value, area);
  revealPlayhead(app);
}

function LaneLabels({ view }: { readonly view: TimelineView }) {
  const lanes = view.lanes.value.filter(({ label }) => label !== "");
  const isBusy = ({ content }: Lane) => content.kind === "difference" && view.difference.isComputing.value;
  return lanes.map((lane) => {
    const { label, colour, top, height } = lane;
    const style = { top: `${top}px`, height: `${height}px` };
    return (
      <div key={top} class="lane-label" title={label} aria-busy={isBusy(lane)} style={style}>
        <span class="lane-swatch" style={{ background: `var(--${colour})` }} />
        <span class="lane-text">{label}</span>
      </div>
    );
  });
}

function mountCanvas(canvas: HTMLCanvasElement, app: App, view: TimelineView): void {
  const { difference, comparedPair, activeId } = app.state;
  // Immediately, not with the next frame, so that the page is laid out once.
  effect(() => {
    canvas.style.height = `${heightOf(view.lanes.value)}px`;
  });
  effect(() => {
    if (difference.value && comparedPair.value !== null) {
      view.difference.show(comparedPair.value, view.scale.value.drawn);
    } else {
      view.difference.clear();
    }
  });
  const painted = [view.size, view.scale, view.lanes, view.flags, view.difference.progress, activeId, themeChanges];
  oncePerFrame(
    () => painted.map((signal) => signal.value),
    () => paintTimeline(canvas, view, activeId.value),
  );
}

function followGestures(lanes: HTMLElement, app: App, view: TimelineView): void {
  const scale = () => view.scale.value;
  new Pointers(lanes, app, scale, (at, event) => beginDrag(app, view, at, event));
  lanes.addEventListener("dblclick", (event) => {
    const at = pointOf(event, lanes);
    if (view.laneAt(at.y)?.content.kind === "flags" && hitAt(view, at) === null) {
      void app.addMarker(scale().timeWithin(at.x));
    }
  });
}
