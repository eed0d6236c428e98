/** The markers of the active recording. With `--edit` they can be added, renamed, moved and deleted. */

import { useComputed } from "@preact/signals";
import { useState } from "preact/hooks";
import "./markers.css";
import { type AppProperties, IconButton } from "../components";
import { ICONS } from "../icons";
import { type ListedMarker, listedMarkers, relocateMarker } from "../markers";
import { formatFixed } from "../number-format";
import { toLocalTime } from "../state";
import { AddMarkerForm, MarkerEditForm } from "./marker-forms";
import { Muted, Rows } from "./panel";

/** Seeking to a marker must make it the current one despite rounding. */
const TIME_TOLERANCE_SECS = 1e-6;

export function MarkersPanel({ app }: AppProperties) {
  return (
    <>
      {app.canEdit && <AddMarkerForm app={app} />}
      {/* An open form belongs to one recording: the key discards it with the list. */}
      <MarkerList key={app.state.activeId.value} app={app} />
    </>
  );
}

function MarkerList({ app }: AppProperties) {
  const { active, time } = app.state;
  const [edited, setEdited] = useState<ListedMarker | null>(null);
  const markers = useComputed(() => listedMarkers(active.value));
  /** The index of the last marker at or before the playhead. */
  const current = useComputed(() => {
    const localTime = active.value === null ? 0 : toLocalTime(active.value, time.value);
    return markers.value.filter((marker) => marker.time <= localTime + TIME_TOLERANCE_SECS).at(-1)?.index;
  });
  if (markers.value.length === 0) {
    return <Muted>No markers in this recording.</Muted>;
  }
  const editedNow = edited && relocateMarker(markers.value, edited);
  return (
    <Rows items={markers.value}>
      {(marker) => {
        const isEdited = marker === editedNow;
        const focusKey = `edit-${marker.index}`;
        return (
          // The form keeps its key, and with it what is typed, when the index of its marker changes.
          <li
            key={isEdited ? "edited" : marker.index}
            class="marker"
            aria-current={marker.index === current.value || undefined}
          >
            {edited !== null && isEdited ? (
              <MarkerEditForm app={app} marker={edited} onClose={() => setEdited(null)} focusKey={focusKey} />
            ) : (
              <MarkerControls app={app} marker={marker} onEdit={() => setEdited(marker)} focusKey={focusKey} />
            )}
          </li>
        );
      }}
    </Rows>
  );
}

interface MarkerControlsProperties extends AppProperties {
  readonly marker: ListedMarker;
  readonly onEdit: () => void;
  readonly focusKey: string;
}

function MarkerControls({ app, marker: { index, time, name }, onEdit, focusKey }: MarkerControlsProperties) {
  const recording = app.state.active.value;
  if (recording === null) {
    return null;
  }
  const remove = () => void app.edit(recording, { op: "remove-marker", index });
  return (
    <>
      <button
        type="button"
        class="plain marker-name"
        title={name}
        onClick={() => app.playback.seek(time + recording.offsetSecs)}
      >
        <span class="numbers muted">{formatFixed(time, 3)}</span>
        <span>{name === "" ? "(no name)" : name}</span>
      </button>
      {app.canEdit && (
        <>
          <IconButton icon={ICONS.pencil} label={`Rename or move ${name}`} data-key={focusKey} onClick={onEdit} />
          <IconButton icon={ICONS.trash} label={`Delete ${name}`} onClick={remove} />
        </>
      )}
    </>
  );
}
