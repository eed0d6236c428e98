/** Fields to add a marker, and to rename or move one. */

import { type Signal, signal } from "@preact/signals-core";
import type { MarkerInfo } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import { formatSeconds } from "../number-format";
import { type OpenRecording, toLocalTime } from "../state";
import { addMarkerAt } from "../timeline/actions";
import { type ListedMarker, listedMarkers, relocateMarker } from "./marker-list";
import { runExclusive, whileShown } from "./panel";

export function addForm(app: App): HTMLElement {
  const { state } = app;
  const name = element("input", { type: "text", "aria-label": "Name of the new marker" });
  const add = element("button", { type: "submit" });
  const form = element("form", { class: "marker-form" }, name, add);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void runExclusive(app, "add a marker", () => addMarker(app, name));
  });
  whileShown(state, "markers", () => {
    const recording = state.active.value;
    add.disabled = recording === null;
    add.textContent =
      recording === null
        ? "Add"
        : `Add at ${formatSeconds(timeWithin(recording, toLocalTime(recording, state.time.value)))}`;
    name.placeholder = `Marker ${(recording?.info.markers.length ?? 0) + 1}`;
  });
  return form;
}

/** The field is empty again only if there is such a marker now. */
async function addMarker(app: App, field: HTMLInputElement): Promise<void> {
  const typed = field.value;
  const isAdded = await addMarkerAt(app, app.state.time.value, typed.trim() || field.placeholder);
  field.value = isAdded && field.value === typed ? "" : field.value;
}

/** Enter keeps what was typed, Escape does not. Made once, so that what is being typed stays when other markers change. */
export class MarkerEditForm {
  /** The marker that is being changed, as it was when that began. */
  readonly marker: Signal<ListedMarker | null> = signal(null);
  private readonly name = element("input", { type: "text", "aria-label": "Name" });
  private readonly time = element("input", { type: "number", step: "any", min: 0, "aria-label": "Time in seconds" });
  private readonly view: HTMLElement;

  constructor(private readonly app: App) {
    const keep = element("button", { type: "submit", class: "primary" }, "Keep");
    const cancel = element("button", { type: "button", on: { click: () => this.close() } }, "Cancel");
    this.view = element("form", { class: "marker-form" }, this.name, this.time, keep, cancel);
    this.view.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.keep();
    });
    this.view.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        this.close();
      }
    });
  }

  open(marker: ListedMarker): void {
    this.name.value = marker.name;
    this.time.value = `${shortest(marker.time)}`;
    this.marker.value = marker;
  }

  close(): void {
    this.marker.value = null;
  }

  /** The form for the row of its marker. Its fields have the key of the button that opened it: focus goes there and back. */
  withKey(key: string): HTMLElement {
    this.name.dataset.key = key;
    this.time.dataset.key = key;
    return this.view;
  }

  private async keep(): Promise<void> {
    const recording = this.app.state.active.value;
    const old = this.marker.value && relocateMarker(listedMarkers(recording), this.marker.value);
    const [name, time] = [this.name.value.trim(), this.time.valueAsNumber];
    this.close();
    if (recording !== null && old !== null) {
      await changeMarker(this.app, recording, old, { name, time });
    }
  }
}

/** The name first: once it is moved, a marker may have another place. */
async function changeMarker(
  app: App,
  recording: OpenRecording,
  old: ListedMarker,
  { name, time }: MarkerInfo,
): Promise<void> {
  const { index } = old;
  if (name !== old.name) {
    await app.edit(recording, { op: "renameMarker", index, name });
  }
  const renamed = app.state.recordings.value.find(({ info }) => info.id === recording.info.id);
  const isRenamed = renamed?.info.markers[index]?.name === name;
  if (renamed !== undefined && isRenamed && Number.isFinite(time) && time !== shortest(old.time)) {
    await app.edit(renamed, { op: "moveMarker", index, time });
  }
}

function timeWithin({ info }: OpenRecording, own: number): number {
  return Math.min(Math.max(own, 0), info.durationSecs);
}

/** What is kept in 32 bits has no more digits than these. */
function shortest(time: number): number {
  return Number(time.toFixed(4));
}
