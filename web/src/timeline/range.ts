/** The range: a shaded span between two handles. Without a range, the handles are at both ends. */

import { effect } from "@preact/signals";
import type { Span } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import { accessibleTime } from "./format";
import { pointOf } from "./pointer";
import type { TimelineView } from "./view";

type End = 0 | 1;

const MIN_RANGE_SECS = 0.01;
const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -1,
  PageUp: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function mountRange(lanes: HTMLElement, app: App, view: TimelineView): void {
  const shade = element("div", { class: "range-shade", "aria-hidden": "true" });
  const handles = [handleOf(app, view, lanes, 0), handleOf(app, view, lanes, 1)];
  lanes.append(shade, ...handles);
  effect(() => {
    const { range } = app.state;
    const scale = view.scale.value;
    const [from, to] = app.playback.playedSpan();
    const [left, right] = [Math.max(scale.x(from), 0), Math.min(scale.x(to), scale.width)];
    lanes.classList.toggle("with-range", range.value !== null);
    shade.style.transform = `translateX(${left}px)`;
    shade.style.width = `${Math.max(right - left, 0)}px`;
  });
}

function handleOf(app: App, view: TimelineView, lanes: HTMLElement, end: End): HTMLElement {
  const side = end === 0 ? "start" : "end";
  const label = `${app.canEdit ? "Trim" : "Range"} ${side}`;
  const handle = element("div", { class: `range-handle ${side}`, role: "slider", tabindex: 0, "aria-label": label });
  handle.title = `${label} of playback, downloads${app.canEdit ? " and trims" : ""}`;
  effect(() => {
    const time = app.playback.playedSpan()[end];
    const scale = view.scale.value;
    const x = scale.x(time);
    handle.hidden = x < 0 || x > scale.width || app.state.active.value === null;
    handle.style.transform = `translateX(${x}px)`;
    announceValue(handle, time, limitsOf(app, end));
  });
  followDrag(handle, app, view, lanes, end);
  handle.addEventListener("keydown", (event) => followKey(event, app, end));
  return handle;
}

function announceValue(handle: HTMLElement, time: number, [least, most]: Span): void {
  handle.setAttribute("aria-valuemin", least.toFixed(2));
  handle.setAttribute("aria-valuemax", most.toFixed(2));
  handle.setAttribute("aria-valuenow", time.toFixed(2));
  handle.setAttribute("aria-valuetext", accessibleTime(time));
}

/** The limits of an end, which cannot pass the other end. */
function limitsOf(app: App, end: End): Span {
  const [from, to] = app.state.span.value;
  const [start, stop] = app.playback.playedSpan();
  return end === 0 ? [from, Math.max(stop - MIN_RANGE_SECS, from)] : [Math.min(start + MIN_RANGE_SECS, to), to];
}

function moveEnd(app: App, end: End, time: number): void {
  const [least, most] = limitsOf(app, end);
  const [start, stop] = app.playback.playedSpan();
  const moved = Math.min(Math.max(time, least), most);
  const range: Span = end === 0 ? [moved, stop] : [start, moved];
  const [from, to] = app.state.span.value;
  // A range of everything is the same as no range.
  app.playback.setRange(range[0] <= from && range[1] >= to ? null : range);
}

function followDrag(handle: HTMLElement, app: App, view: TimelineView, lanes: HTMLElement, end: End): void {
  let grabOffset: number | null = null;
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) {
      return;
    }
    // The lanes would start a drag.
    event.stopPropagation();
    handle.setPointerCapture(event.pointerId);
    grabOffset = pointOf(event, lanes).x - view.scale.value.x(app.playback.playedSpan()[end]);
  });
  handle.addEventListener("pointermove", (event) => {
    if (grabOffset !== null) {
      moveEnd(app, end, view.scale.value.timeWithin(pointOf(event, lanes).x - grabOffset));
    }
  });
  const release = () => {
    grabOffset = null;
  };
  handle.addEventListener("pointerup", release);
  handle.addEventListener("pointercancel", release);
}

function followKey(event: KeyboardEvent, app: App, end: End): void {
  const step = KEY_STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  event.preventDefault();
  moveEnd(app, end, app.playback.playedSpan()[end] + (event.shiftKey ? 100 * step : step));
}
