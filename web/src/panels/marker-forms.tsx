/** Forms that add a marker, and rename or move one. */

import { useState } from "preact/hooks";
import type { App } from "../app";
import { type AppProperties, Form, NumberInput, TextInput } from "../components";
import { type ListedMarker, listedMarkers, relocateMarker } from "../markers";
import { formatSeconds } from "../number-format";
import { type OpenRecording, toLocalTime } from "../state";

export function AddMarkerForm({ app }: AppProperties) {
  const { active, panel, time } = app.state;
  const [name, setName] = useState("");
  const recording = active.value;
  // Time changes with every frame: it is read only while the panel is shown.
  const addTime = recording && panel.value === "markers" ? localTimeWithin(recording, time.value) : null;
  const placeholder = `Marker ${(recording?.info.markers.length ?? 0) + 1}`;
  const add = async () => {
    const isAdded = await app.addMarker(time.value, name.trim() || placeholder);
    setName((current) => (isAdded && current === name ? "" : current));
  };
  return (
    <Form class="marker-form" onSubmit={() => void app.runExclusive("add marker", add)}>
      <TextInput label="Name of the new marker" placeholder={placeholder} value={name} onInput={setName} />
      <button type="submit" disabled={recording === null}>
        {addTime === null ? "Add" : `Add at ${formatSeconds(addTime)}`}
      </button>
    </Form>
  );
}

interface MarkerEditFormProperties extends AppProperties {
  /** The marker as it was when the form was opened. */
  readonly marker: ListedMarker;
  readonly onClose: () => void;
  /** The `data-key` of the button that opened the form, which gets the focus back. */
  readonly focusKey: string;
}

/** Enter saves, Escape cancels. */
export function MarkerEditForm({ app, marker, onClose, focusKey }: MarkerEditFormProperties) {
  const [name, setName] = useState(marker.name);
  const [time, setTime] = useState(roundTime(marker.time));
  const save = () => {
    onClose();
    void changeMarker(app, marker, name.trim(), time);
  };
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <Form class="marker-form" onSubmit={save} onKeyDown={cancelOnEscape}>
      <TextInput label="Name" focusKey={focusKey} value={name} onInput={setName} />
      <NumberInput label="Time in seconds" value={time} onInput={setTime} />
      <button type="submit" class="primary">
        Save
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </Form>
  );
}

/** Renames the marker before moving it, because moving can change its index. */
async function changeMarker(app: App, marker: ListedMarker, name: string, time: number): Promise<void> {
  const recording = app.state.active.value;
  const current = relocateMarker(listedMarkers(recording), marker);
  if (recording === null || current === null) {
    return;
  }
  const { index } = current;
  const isRenamed = name !== current.name;
  const renamed = isRenamed ? await app.edit(recording, { op: "rename-marker", index, name }) : recording;
  if (renamed !== null && Number.isFinite(time) && time !== roundTime(current.time)) {
    await app.edit(renamed, { op: "move-marker", index, time });
  }
}

function localTimeWithin(recording: OpenRecording, time: number): number {
  return Math.min(Math.max(toLocalTime(recording, time), 0), recording.info.duration_secs);
}

/** Times are stored in 32 bits: more digits than these mean nothing. */
function roundTime(time: number): number {
  return Number(time.toFixed(4));
}
