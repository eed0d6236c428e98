/** The playhead: a separate element, so that moving it does not repaint the lanes. */

import { computed, effect } from "@preact/signals";
import type { App } from "../app";
import { element } from "../dom";
import { accessibleTime } from "./format";
import { nearestMarker } from "./marker-flags";
import { oncePerFrame } from "./once-per-frame";
import type { TimelineView } from "./view";

export function mountPlayhead(lanes: HTMLElement, slider: HTMLElement, app: App, view: TimelineView): void {
  const { state } = app;
  const head = element("div", { class: "playhead", "aria-hidden": "true" });
  lanes.append(head);
  oncePerFrame(
    () => [state.time.value, view.scale.value] as const,
    ([time, scale]) => {
      const x = scale.x(time);
      head.hidden = x < 0 || x > scale.width;
      head.style.transform = `translateX(${x}px)`;
    },
  );
  effect(() => {
    const [from, to] = state.span.value;
    slider.setAttribute("aria-valuemin", from.toFixed(2));
    slider.setAttribute("aria-valuemax", to.toFixed(2));
  });
  // During playback, screen readers announce the time once per second.
  const announcedTime = computed(() => (state.playing.value ? Math.floor(state.time.value) : state.time.value));
  effect(() => {
    slider.setAttribute("aria-valuenow", announcedTime.value.toFixed(2));
    slider.setAttribute("aria-valuetext", describeTime(announcedTime.value, view));
  });
  slider.addEventListener("keydown", (event) => followKey(event, app));
}

/** Slider keys in addition to the shortcuts of the page. */
function followKey(event: KeyboardEvent, app: App): void {
  const secs = { PageUp: 1, PageDown: -1 }[event.key];
  const frames = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key];
  if (secs !== undefined) {
    app.playback.seek(app.state.time.value + secs);
  } else if (frames !== undefined) {
    app.playback.step(frames);
  } else {
    return;
  }
  event.preventDefault();
}

function describeTime(time: number, view: TimelineView): string {
  const marker = nearestMarker(view.markers.value, time, 1e-3);
  return marker === null ? accessibleTime(time) : `${accessibleTime(time)}, marker ${marker.name}`;
}
