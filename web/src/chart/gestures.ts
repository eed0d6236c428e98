/**
 * Gestures on the chart: press or drag to seek, wheel or pinch to zoom, horizontal wheel to pan. Dragging the time axis, or with Shift or
 * the middle button, pans as well.
 */

import type { App } from "../app";
import { scrub } from "../timeline/drags";
import { followWheel, Pointers } from "../timeline/pointer";
import { Scale } from "../timeline/scale";
import type { Chart } from "./chart";

const MIDDLE_BUTTON = 1;

export function followGestures(host: HTMLElement, chart: Chart, app: App): void {
  const scale = () => {
    const outer = host.getBoundingClientRect();
    const plot = (chart.over ?? host).getBoundingClientRect();
    return new Scale(app.state.window.value, outer.width, plot.left - outer.left, plot.right - outer.left);
  };
  followWheel(host, app, scale);
  new Pointers(host, app, scale, (at, event) => {
    if (chart.over === null || event.button > MIDDLE_BUTTON) {
      return null;
    }
    event.preventDefault();
    const isOnAxis = event.clientY > chart.over.getBoundingClientRect().bottom;
    if (!event.shiftKey && event.button !== MIDDLE_BUTTON && !isOnAxis) {
      return scrub(app, scale, scale().timeWithin(at.x));
    }
    const grabbedTime = scale().time(at.x);
    return { move: ({ x }) => app.playback.pan(grabbedTime - scale().time(x)) };
  });
}
