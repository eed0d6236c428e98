/** Fields to add a marker, and to rename or move one. */

import type { MarkerInfo } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import { ownTime, type Take } from "../state";
import { addMarkerAt } from "../timeline/actions";
import { secondsWords } from "../words";
import { whileShown } from "./panel";

export interface PlacedMarker extends MarkerInfo {
  /** Its place among the markers of the file. */
  readonly index: number;
}

export function addForm(app: App): HTMLElement {
  const { state } = app;
  const name = element("input", { type: "text", "aria-label": "Name of the new marker" });
  const add = element("button", { type: "submit" });
  const form = element("form", { class: "marker-form" }, name, add);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void addMarkerAt(app, state.time.value, name.value.trim() || name.placeholder);
    name.value = "";
  });
  whileShown(state, "markers", () => {
    const take = state.active.value;
    add.disabled = take === null;
    add.textContent = take === null ? "Add" : `Add at ${secondsWords(ownTime(take, state.time.value))}`;
    name.placeholder = `Marker ${(take?.info.markers.length ?? 0) + 1}`;
  });
  return form;
}

/** Enter keeps what was typed, Escape does not. */
export function changeForm(app: App, take: Take, marker: PlacedMarker, done: () => void): HTMLElement {
  // The field has the key of the button that opened it: focus goes there and back.
  const key = `change-${marker.index}`;
  const name = element("input", { type: "text", value: marker.name, "aria-label": "Name", "data-key": key });
  const time = element("input", { type: "number", step: "any", min: 0, value: shortest(marker.time) });
  time.setAttribute("aria-label", "Time in seconds");
  const keep = element("button", { type: "submit", class: "primary" }, "Keep");
  const cancel = element("button", { type: "button", on: { click: done } }, "Cancel");
  const form = element("form", { class: "marker-form" }, name, time, keep, cancel);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    done();
    void changeMarker(app, take, marker, name.value.trim(), time.valueAsNumber);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      done();
    }
  });
  return form;
}

/** The name first: once it is moved, a marker may have another place. */
async function changeMarker(app: App, take: Take, old: PlacedMarker, name: string, time: number): Promise<void> {
  const { index } = old;
  if (name !== old.name) {
    await app.edit(take, { op: "renameMarker", index, name });
  }
  if (Number.isFinite(time) && time !== shortest(old.time)) {
    await app.edit(take, { op: "moveMarker", index, time });
  }
}

/** What is kept in 32 bits has no more digits than these. */
function shortest(time: number): number {
  return Number(time.toFixed(4));
}
