/** The button that records. Where it cannot, it says why. */

import { effect } from "@preact/signals-core";
import "./record.css";
import { iconButton } from "../dom";
import { ICONS } from "../icons";
import type { HeadsetRecorder } from "../live/recorder";
import { withLabel } from "./controls";

export function recordButton(recorder: HeadsetRecorder): HTMLElement {
  const button = withLabel(
    iconButton(ICONS.record, "Record with the headset", () => void recorder.start()),
    "Record",
  );
  button.classList.add("record");
  effect(() => {
    const support = recorder.support.value;
    const isPossible = support.mode !== null;
    // It can be pressed all the same: to be told why is better than to wonder.
    button.classList.toggle("impossible", !isPossible);
    button.title = isPossible ? "Record with the headset" : support.why;
    button.disabled = recorder.status.value !== null;
  });
  return button;
}
