/** Edits of a recording: trim, repair, optimize, undo, save. Only with `holotape view --edit`. */

import { useState } from "preact/hooks";
import "./edit.css";
import { type AppProperties, Form, Icon, NumberInput, type RecordingProperties } from "../components";
import { ICONS } from "../icons";
import { formatSpan } from "../number-format";
import { type OpenRecording, type State, toLocalSpan } from "../state";
import { Muted, TaskButton } from "./panel";
import { PreviewBanner, previewTask } from "./preview";
import { SaveForm } from "./save-form";

export function EditPanel({ app }: AppProperties) {
  const recording = editedRecording(app.state);
  if (recording === null) {
    return <Muted>No recording to edit.</Muted>;
  }
  const preview = app.state.recordings.value.find(({ info }) => info.preview_of === recording.info.id);
  return (
    <>
      <History app={app} recording={recording} />
      {preview && <PreviewBanner key={preview.info.id} app={app} recording={recording} preview={preview} />}
      {/* Hidden and not removed, so that typed tolerances are kept. */}
      <div hidden={preview !== undefined}>
        <Trim app={app} recording={recording} />
        <h3>Repair</h3>
        <Muted>Fixes all repairable findings. Everything else stays unchanged.</Muted>
        <TaskButton app={app} task={previewTask(recording)} run={() => app.preview(recording, { op: "repair" })}>
          Preview repair
        </TaskButton>
        <h3>Optimize</h3>
        <Muted>Removes keys that are not needed to stay within these tolerances.</Muted>
        <OptimizeForm app={app} recording={recording} />
      </div>
      <SaveForm key={recording.info.id} app={app} recording={recording} />
    </>
  );
}

/** The active recording, or the original if the active one is a preview. */
function editedRecording({ active, recordings }: State): OpenRecording | null {
  const original = recordings.value.find(({ info }) => info.id === active.value?.info.preview_of);
  return original ?? active.value;
}

function History({ app, recording }: RecordingProperties) {
  const { can_undo, can_redo } = recording.info;
  return (
    <div class="history">
      <button type="button" disabled={!can_undo} onClick={() => void app.edit(recording, { op: "undo" })}>
        <Icon path={ICONS.undo} />
        Undo
      </button>
      <button type="button" disabled={!can_redo} onClick={() => void app.edit(recording, { op: "redo" })}>
        <Icon path={ICONS.redo} />
        Redo
      </button>
    </div>
  );
}

function Trim({ app, recording }: RecordingProperties) {
  const range = app.state.range.value;
  const span = range && toLocalSpan(recording, range);
  const trim = () => span && app.edit(recording, { op: "trim", from: span[0], to: span[1] });
  return (
    <div>
      <h3>Trim</h3>
      <Muted>{span === null ? "Set a range on the timeline to trim to it." : `Keeps ${formatSpan(span)}.`}</Muted>
      <TaskButton app={app} task={`trim ${recording.info.id}`} run={trim} disabled={span === null}>
        Trim to range
      </TaskButton>
    </div>
  );
}

function OptimizeForm({ app, recording }: RecordingProperties) {
  // The defaults of `holotape optimize`.
  const [positionMm, setPositionMm] = useState(1);
  const [rotationDeg, setRotationDeg] = useState(0.2);
  const request = { op: "optimize", position_m: positionMm / 1000, rotation_deg: rotationDeg } as const;
  const optimize = () => app.preview(recording, request);
  return (
    <Form class="optimize-form" onSubmit={() => void app.runExclusive(previewTask(recording), optimize)}>
      <span class="field">
        Position
        <NumberInput label="Position" value={positionMm} onInput={setPositionMm} />
        mm
      </span>
      <span class="field">
        Rotation
        <NumberInput label="Rotation" value={rotationDeg} onInput={setRotationDeg} />°
      </span>
      <TaskButton app={app} task={previewTask(recording)} type="submit">
        Preview optimization
      </TaskButton>
    </Form>
  );
}
