/** The record button. */

import "./record.css";
import { IconButton } from "../components";
import { ICONS } from "../icons";
import type { HeadsetRecorder } from "../live/recorder";

/** Enabled even where recording is unsupported: pressing it then shows why. */
export function RecordButton({ recorder }: { readonly recorder: HeadsetRecorder }) {
  const support = recorder.support.value;
  const label = "Record with the headset";
  return (
    <IconButton
      icon={ICONS.record}
      label={label}
      text="Record"
      class={support.mode === null ? "record unsupported" : "record"}
      title={support.mode === null ? support.reason : label}
      disabled={recorder.status.value !== null}
      onClick={() => void recorder.start()}
    />
  );
}
