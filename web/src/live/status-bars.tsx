/** Bars over the scene while this page or another client records. */

import { useEffect, useState } from "preact/hooks";
import "./live.css";
import type { LiveTakeInfo } from "../api";
import { Form, TextInput } from "../components";
import { CONFIRM_MS } from "../expiry";
import { formatBytes, formatCount } from "../number-format";
import type { HeadsetRecorder } from "./recorder";
import { connectionText, formatClock, type Phase, reconnectAdvice, type TakeStatus } from "./status";
import type { Watcher } from "./watch";

const PHASES: Readonly<Record<Phase, string>> = {
  starting: "Starting",
  recording: "REC",
  paused: "Paused",
  saving: "Saving",
  discarding: "Discarding",
};

/** Of takes and markers. */
export const MAX_NAME_CHARS = 200;

/** Shown while this page records. */
export function RecordingBar({ recorder }: { readonly recorder: HeadsetRecorder }) {
  const status = recorder.status.value;
  if (status === null) {
    return null;
  }
  const { phase, secs, frames, connection, name } = status;
  const isEnding = phase === "saving" || phase === "discarding";
  return (
    <section class="live-bar" aria-label="Recording" data-phase={phase}>
      <span class="live-text">
        <strong class="live-phase">{PHASES[phase]}</strong>
        <span class="live-time numbers">{formatClock(secs)}</span>
        <span class="numbers">{formatCount(frames, "frame")}</span>
        <span class="live-connection" data-connection={connection}>
          {stateText(status)}
        </span>
        <span class="live-name">{name && `saves as ${name}`}</span>
      </span>
      <MarkerForm recorder={recorder} isInert={isEnding} />
      <button type="button" class="primary" inert={isEnding} onClick={() => recorder.stop()}>
        Stop
      </button>
      <DiscardButton recorder={recorder} />
      <p class="live-advice">{reconnectAdvice(status, location.protocol === "https:")}</p>
    </section>
  );
}

function stateText(status: TakeStatus): string {
  const bytes = status.connection === "lost" ? ` (${formatBytes(status.bufferedBytes)})` : "";
  return `${connectionText(status)}${bytes}`;
}

function MarkerForm({ recorder, isInert }: { readonly recorder: HeadsetRecorder; readonly isInert: boolean }) {
  const [name, setName] = useState("");
  const add = () => {
    recorder.addMarker(name);
    setName("");
  };
  return (
    <Form class="live-marker" inert={isInert} onSubmit={add}>
      <TextInput placeholder="Marker" label="Marker name" maxLength={MAX_NAME_CHARS} value={name} onInput={setName} />
      <button type="submit">Add marker</button>
    </Form>
  );
}

/** Needs a second press within 4 s, because a discarded take cannot be recovered. */
function DiscardButton({ recorder }: { readonly recorder: HeadsetRecorder }) {
  const [isConfirming, setConfirming] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setConfirming(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [isConfirming]);
  const press = () => {
    setConfirming(!isConfirming);
    if (isConfirming) {
      recorder.discard();
    }
  };
  return (
    <button type="button" class={isConfirming ? "live-confirm" : ""} onClick={press}>
      {isConfirming ? "Really discard?" : "Discard"}
    </button>
  );
}

/** Shown while other clients record. */
export function WatchingBar({ watcher }: { readonly watcher: Watcher }) {
  const takes = watcher.takes.value;
  return takes.length === 0 ? null : (
    <section class="live-bar" aria-label="Live takes">
      {takes.map((info) => (
        <WatchedTake key={info.take_id} watcher={watcher} info={info} />
      ))}
    </section>
  );
}

function WatchedTake({ watcher, info }: { readonly watcher: Watcher; readonly info: LiveTakeInfo }) {
  const { take_id, name, duration_secs, frame_count, is_connected } = info;
  const isHidden = watcher.hidden.value.has(take_id);
  const action = isHidden ? "Watch" : "Hide";
  const connection = is_connected ? [] : ["disconnected"];
  const facts = [name, formatClock(duration_secs), formatCount(frame_count, "frame"), ...connection];
  return (
    <div class="live-row">
      <span class="live-mark">LIVE</span>
      <span class="live-text">{facts.join(" · ")}</span>
      <button type="button" aria-label={`${action} ${name}`} onClick={() => watcher.setHidden(take_id, !isHidden)}>
        {action}
      </button>
    </div>
  );
}
