/** Markers in their order; one can go to them, and with `--edit` change them. */

import { computed, effect } from "@preact/signals-core";
import "./markers.css";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { ICONS } from "../icons";
import { formatFixed } from "../number-format";
import { type OpenRecording, toLocalTime } from "../state";
import { canEdit } from "../timeline/actions";
import { addForm, MarkerEditForm } from "./marker-forms";
import { type ListedMarker, listedMarkers, relocateMarker } from "./marker-list";
import { paragraph, preserveFocus, rowsOf, whileShown } from "./panel";

/** A marker that was just sought is at the playhead, whatever rounding says. */
const ROUNDING_SECS = 1e-6;

export function mountMarkers(host: HTMLElement, app: App): void {
  const { state } = app;
  const list = element("div");
  const changing = new MarkerEditForm(app);
  const markers = computed(() => listedMarkers(state.active.value));
  const current = computed(() => currentOf(markers.value, state.active.value, state.time.value));
  host.append(...(canEdit(app) ? [addForm(app)] : []), list);
  whileShown(state, "markers", () => {
    const recording = state.active.value;
    const none = paragraph("No markers in this recording.");
    const changed = changing.marker.value && relocateMarker(markers.value, changing.marker.value);
    preserveFocus(list, () => {
      const rows = rowsOf(markers.value, (marker) => row(app, recording, marker, changing, marker === changed));
      list.replaceChildren(markers.value.length === 0 ? none : rows);
    });
    markCurrent(list, current.peek());
  });
  effect(() => markCurrent(list, current.value));
  // What was being changed is a marker of another take now.
  state.activeId.subscribe(() => changing.close());
}

/** The last marker up to the playhead: the one whose interval this is. */
function currentOf(markers: readonly ListedMarker[], recording: OpenRecording | null, time: number): number | null {
  const now = recording === null ? time : toLocalTime(recording, time);
  const next = markers.findIndex((marker) => marker.time > now + ROUNDING_SECS);
  return markers[(next < 0 ? markers.length : next) - 1]?.index ?? null;
}

function markCurrent(list: HTMLElement, index: number | null): void {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.querySelector(`[data-marker="${index}"]`)?.setAttribute("aria-current", "true");
}

function row(
  app: App,
  recording: OpenRecording | null,
  marker: ListedMarker,
  changing: MarkerEditForm,
  isChanged: boolean,
): HTMLElement {
  const item = element("li", { class: "marker", "data-marker": marker.index });
  if (recording === null || !canEdit(app)) {
    item.append(seekButton(app, recording, marker));
  } else if (isChanged) {
    item.append(changing.withKey(changeKey(marker)));
  } else {
    const change = changeButton(marker, () => changing.open(marker));
    item.append(seekButton(app, recording, marker), change, removeButton(app, recording, marker));
  }
  return item;
}

function changeKey({ index }: ListedMarker): string {
  return `change-${index}`;
}

function seekButton(app: App, recording: OpenRecording | null, { index, time, name }: ListedMarker): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "plain marker-name", title: name, "data-key": `seek-${index}` },
    element("span", { class: "numbers muted" }, formatFixed(time, 3)),
    element("span", {}, name === "" ? "(no name)" : name),
  );
  button.addEventListener("click", () => app.seek(time + (recording?.offsetSecs ?? 0)));
  return button;
}

function changeButton(marker: ListedMarker, open: () => void): HTMLElement {
  const button = iconButton(ICONS.pencil, `Rename or move ${marker.name}`, open);
  button.dataset.key = changeKey(marker);
  return button;
}

function removeButton(app: App, recording: OpenRecording, { index, name }: ListedMarker): HTMLElement {
  const button = iconButton(
    ICONS.trash,
    `Delete ${name}`,
    () => void app.edit(recording, { op: "removeMarker", index }),
  );
  button.dataset.key = `remove-${index}`;
  return button;
}
