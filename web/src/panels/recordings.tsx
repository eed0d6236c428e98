/** The list of open recordings, and a summary of the active one. */

import { useState } from "preact/hooks";
import "./recordings.css";
import type { RecordingInfo } from "../api";
import { type AppProperties, IconButton, type RecordingProperties, Swatch } from "../components";
import { chooseFiles } from "../files";
import { ICONS } from "../icons";
import { formatBytes, formatCount, formatSeconds } from "../number-format";
import type { OpenRecording } from "../state";
import { Muted } from "./panel";
import { RecordingSummary } from "./summary";

const ORIGINS: Readonly<Record<RecordingInfo["origin"], string>> = {
  file: "file",
  recorded: "recorded just now",
  upload: "opened here",
  preview: "preview",
  demo: "built-in demo",
};

/** Recordings that were passed to `holotape view` stay open. */
const CLOSABLE: readonly RecordingInfo["origin"][] = ["recorded", "upload", "preview"];

export function RecordingsPanel({ app }: AppProperties) {
  const recordings = app.state.recordings.value;
  const active = app.state.active.value;
  return (
    <>
      {recordings.length === 0 && app.state.loading.value.length === 0 && <EmptyMessage app={app} />}
      <ul class="rows">
        {recordings.map((recording) => (
          <RecordingRow key={recording.info.id} app={app} recording={recording} />
        ))}
      </ul>
      {recordings.length > 0 && app.server !== null && <OpenButton app={app} />}
      <Failures app={app} />
      {active && <RecordingSummary info={active.info} />}
    </>
  );
}

function EmptyMessage({ app }: AppProperties) {
  return (
    <div class="empty-message">
      <Muted>{app.server === null ? "This page contains no recording." : "Drop a recording here, or open one."}</Muted>
      {app.server !== null && <OpenButton app={app} />}
    </div>
  );
}

function OpenButton({ app }: AppProperties) {
  return (
    <div>
      <button type="button" onClick={() => chooseFiles((files) => app.open(files))}>
        Open recordings…
      </button>
    </div>
  );
}

function RecordingRow({ app, recording }: RecordingProperties) {
  const [isConfirming, setConfirming] = useState(false);
  const { id, name, modified, origin } = recording.info;
  const isActive = app.state.activeId.value === id;
  const close = () => {
    if (origin === "preview") {
      void app.resolvePreview(recording, false);
    } else if (modified) {
      setConfirming(true);
    } else {
      void app.close(recording);
    }
  };
  return (
    <li class="recording" aria-current={isActive || undefined}>
      <Swatch class="recording-swatch" colorIndex={recording.colorIndex} />
      <button
        type="button"
        class="plain recording-name"
        aria-pressed={isActive}
        title={name}
        onClick={() => app.activate(recording)}
      >
        <span>{name}</span>
        {modified && <span class="recording-modified">modified</span>}
      </button>
      <IconButton
        icon={recording.visible ? ICONS.eye : ICONS.eyeOff}
        label={`Show ${name} in the scene`}
        aria-pressed={recording.visible}
        onClick={() => app.setVisible(recording, !recording.visible)}
      />
      {CLOSABLE.includes(origin) && !isConfirming && (
        <IconButton
          icon={ICONS.close}
          label={`${origin === "preview" ? "Discard" : "Close"} ${name}`}
          data-key={`close-${id}`}
          onClick={close}
        />
      )}
      <p class="recording-details muted">{detailsOf(recording)}</p>
      {app.state.recordings.value.length > 1 && <OffsetField app={app} recording={recording} />}
      {isConfirming && <CloseQuestion app={app} recording={recording} onCancel={() => setConfirming(false)} />}
    </li>
  );
}

function CloseQuestion({ app, recording, onCancel }: RecordingProperties & { readonly onCancel: () => void }) {
  return (
    <div class="recording-question" role="alert">
      <p>This recording has unsaved changes.</p>
      <div class="decision">
        <button type="button" onClick={() => void app.close(recording)}>
          Close without saving
        </button>
        {/* Gets the focus of the close button, so that pressing Enter twice does not close the recording. */}
        <button type="button" data-key={`close-${recording.info.id}`} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function detailsOf({ info, hasAllKeys }: OpenRecording): string {
  const { duration_secs, key_count, file_bytes, format, origin } = info;
  const keys = `${formatCount(key_count, "key")}${hasAllKeys ? "" : " (overview shown)"}`;
  const facts = [formatSeconds(duration_secs), keys, formatBytes(file_bytes), ORIGINS[origin]];
  return `${facts.join(" · ")}\n${format}`;
}

function OffsetField({ app, recording }: RecordingProperties) {
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const secs = currentTarget.valueAsNumber;
    app.setOffset(recording, Number.isFinite(secs) ? secs : 0);
  };
  const value = Number(recording.offsetSecs.toFixed(3));
  return (
    <label class="field recording-offset">
      Starts at
      <input type="number" step={0.01} value={value} onChange={onChange} />s
    </label>
  );
}

function Failures({ app }: AppProperties) {
  const { failures } = app.state.viewer;
  return failures.length === 0 ? null : (
    <div>
      <h3>Could not be opened</h3>
      <ul class="rows failures">
        {failures.map(({ name, message }) => (
          <li key={name}>
            <strong>{name}</strong>
            <Muted>{message}</Muted>
          </li>
        ))}
      </ul>
    </div>
  );
}
