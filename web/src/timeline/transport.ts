/** The controls of time: play, step, loop, where it is, how fast, the range and the zoom. */

import { effect } from "@preact/signals-core";
import "./transport.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { ICONS } from "../icons";
import { RANGE, TIME } from "../shell/commands";
import { buttonGroup, commandButton, commandToggle, nameControl, setIcon } from "../shell/controls";
import { SPEEDS, zoomHere } from "./actions";
import { clockTime } from "./format";
import { timeField } from "./time-field";

const ZOOM_STEP = 2;

export function buildTransport(app: App): HTMLElement {
  const { state } = app;
  // A field set is disabled as a whole: without a recording there is no time to control.
  const controls = element(
    "fieldset",
    { class: "transport", "aria-label": "Controls of time" },
    playGroup(app),
    element("div", { class: "readout numbers" }, timeField(app), durationOf(app)),
    speedSelect(app),
    element("div", { class: "transport-space" }),
    rangeGroup(app),
    zoomGroup(app),
  );
  effect(() => {
    controls.disabled = state.active.value === null;
  });
  return controls;
}

function playGroup(app: App): HTMLElement {
  const { looping } = app.state;
  return element(
    "div",
    { class: "transport-group" },
    commandButton(app, ICONS.stepBack, TIME.stepBack),
    playButton(app),
    commandButton(app, ICONS.stepForward, TIME.stepForward),
    commandToggle(app, ICONS.loop, TIME.loop, () => looping.value),
  );
}

function playButton(app: App): HTMLElement {
  const button = commandButton(app, ICONS.play, TIME.play);
  button.classList.add("play");
  effect(() => {
    const isPlaying = app.state.playing.value;
    setIcon(button, isPlaying ? ICONS.pause : ICONS.play);
    nameControl(button, isPlaying ? "Pause" : "Play", TIME.play);
  });
  return button;
}

function durationOf({ state }: App): HTMLElement {
  const words = element("span", { class: "duration muted" });
  effect(() => {
    words.textContent = `/ ${clockTime(state.span.value[1])}`;
  });
  return words;
}

function speedSelect({ state: { speed } }: App): HTMLElement {
  const options = SPEEDS.map((value) => element("option", { value }, `${value}×`));
  const title = `Speed (${TIME.slower.keys[0]} and ${TIME.faster.keys[0]})`;
  const select = element("select", { class: "numbers", "aria-label": "Speed", title }, ...options);
  select.addEventListener("change", () => {
    speed.value = Number(select.value);
  });
  effect(() => {
    select.value = `${speed.value}`;
  });
  return select;
}

function rangeGroup(app: App): HTMLElement {
  const clear = commandButton(app, ICONS.rangeClear, RANGE.clear);
  const words = element("span", { class: "range-words numbers muted" });
  effect(() => {
    const range = app.state.range.value;
    clear.disabled = range === null;
    words.textContent = range === null ? "" : `${clockTime(range[0], 2)} to ${clockTime(range[1], 2)}`;
  });
  const start = commandButton(app, ICONS.rangeStart, RANGE.start);
  const end = commandButton(app, ICONS.rangeEnd, RANGE.end);
  return element("div", { class: "transport-group" }, words, buttonGroup("Range", start, end, clear));
}

function zoomGroup(app: App): HTMLElement {
  const out = iconButton(ICONS.zoomOut, "Zoom out", () => zoomHere(app, ZOOM_STEP));
  const into = iconButton(ICONS.zoomIn, "Zoom in", () => zoomHere(app, 1 / ZOOM_STEP));
  const all = iconButton(ICONS.zoomAll, "Show everything", () => app.zoomToAll());
  effect(() => {
    const [[from, to], [start, end]] = [app.state.window.value, app.state.span.value];
    out.disabled = from <= start && to >= end;
    all.disabled = out.disabled;
  });
  return buttonGroup("Zoom", out, into, all);
}
