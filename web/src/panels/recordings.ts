/** The takes: what there is, which is shown, which is active. */

import { type Signal, signal } from "@preact/signals-core";
import "./recordings.css";
import type { RecordingInfo } from "../api";
import type { App } from "../app";
import { element, iconButton } from "../dom";
import { chooseFiles } from "../files";
import { ICONS } from "../icons";
import { formatBytes, formatCount, formatSeconds } from "../number-format";
import type { OpenRecording } from "../state";
import { recordingColorName } from "../theme";
import { heading, paragraph, setChildren, whileShown } from "./panel";
import { discardPreview } from "./preview";
import { recordingSummary } from "./summary";

const ORIGINS: Readonly<Record<RecordingInfo["origin"], string>> = {
  file: "file",
  recorded: "recorded just now",
  upload: "opened here",
  preview: "preview",
  demo: "built-in demo",
};

/** What holotape was started with stays. */
const CLOSABLE: readonly RecordingInfo["origin"][] = ["recorded", "upload", "preview"];

export function mountRecordings(host: HTMLElement, app: App): void {
  const { state } = app;
  /** The take of which it is asked whether to close it with its changes. */
  const asked: Signal<number | null> = signal(null);
  whileShown(state, "takes", () => {
    const recordings = state.recordings.value;
    const active = state.active.value;
    const list = element("ul", { class: "rows" }, ...recordings.map((recording) => row(app, recording, asked)));
    setChildren(
      host,
      recordings.length === 0 ? emptyMessage(app) : list,
      recordings.length > 0 && app.server !== null ? openButton(app) : null,
      failures(app),
      active && recordingSummary(active.info),
    );
  });
}

function emptyMessage(app: App): HTMLElement {
  const canOpen = app.server !== null;
  const words = canOpen ? "Drop a recording here, or open one." : "This page carries no recording.";
  return element("div", { class: "emptiness" }, paragraph(words), canOpen ? openButton(app) : null);
}

function openButton(app: App): HTMLElement {
  const button = element("button", { type: "button", "data-key": "open" }, "Open recordings…");
  button.addEventListener("click", () => chooseFiles(app));
  return element("div", {}, button);
}

function row(app: App, recording: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const isActive = app.state.activeId.value === recording.info.id;
  const isAsked = asked.value === recording.info.id;
  const item = element("li", { class: "take", "aria-current": isActive ? "true" : null });
  item.append(swatch(recording), nameButton(app, recording), eyeButton(app, recording));
  const canClose = CLOSABLE.includes(recording.info.origin);
  if (canClose && !isAsked) {
    item.append(closeButton(app, recording, asked));
  }
  item.append(element("p", { class: "take-facts muted" }, detailsOf(recording.info)));
  if (app.state.recordings.value.length > 1) {
    item.append(offsetField(app, recording));
  }
  if (isAsked) {
    item.append(closeQuestion(app, recording, asked));
  }
  return item;
}

function swatch({ colorIndex }: OpenRecording): HTMLElement {
  const made = element("span", { class: "take-swatch", "aria-hidden": "true" });
  made.style.background = `var(--${recordingColorName(colorIndex)})`;
  return made;
}

function nameButton(app: App, recording: OpenRecording): HTMLElement {
  const { id, name, modified } = recording.info;
  const isActive = app.state.activeId.value === id;
  const mark = modified ? element("span", { class: "take-modified" }, "modified") : null;
  const button = element(
    "button",
    { type: "button", class: "plain take-name", "aria-pressed": `${isActive}`, title: name, "data-key": `name-${id}` },
    element("span", {}, name),
    mark,
  );
  button.addEventListener("click", () => app.activate(recording));
  return button;
}

function eyeButton(app: App, recording: OpenRecording): HTMLElement {
  const { visible, info } = recording;
  const icon = visible ? ICONS.eye : ICONS.eyeOff;
  const button = iconButton(icon, `Show ${info.name} in the scene`, () => app.setVisible(recording, !visible));
  button.setAttribute("aria-pressed", `${visible}`);
  button.dataset.key = `eye-${info.id}`;
  return button;
}

function closeButton(app: App, recording: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const { id, name, origin } = recording.info;
  const label = origin === "preview" ? `Discard ${name}` : `Close ${name}`;
  const button = iconButton(ICONS.close, label, () => closeOrAsk(app, recording, asked));
  button.dataset.key = closeKey(id);
  return button;
}

function closeOrAsk(app: App, recording: OpenRecording, asked: Signal<number | null>): void {
  if (recording.info.origin === "preview") {
    void discardPreview(app, recording);
  } else if (recording.info.modified) {
    asked.value = recording.info.id;
  } else {
    void app.close(recording);
  }
}

/** What was opened here is nowhere else: its changes would be gone. */
function closeQuestion(app: App, recording: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const answer = (act: () => void) => () => {
    asked.value = null;
    act();
  };
  const close = answer(() => void app.close(recording));
  // In the place of the button that asked: Enter once too often must not cost a recording.
  const cancel = { type: "button", "data-key": closeKey(recording.info.id), on: { click: answer(() => {}) } };
  return element(
    "div",
    { class: "take-question", role: "alert" },
    paragraph("Its changes are not saved.", ""),
    element(
      "div",
      { class: "decision" },
      element("button", { type: "button", on: { click: close } }, "Close without saving"),
      element("button", cancel, "Cancel"),
    ),
  );
}

function closeKey(id: number): string {
  return `close-${id}`;
}

function detailsOf({ durationSecs, keyCount, bytes, format, origin }: RecordingInfo): string {
  const numbers = [formatSeconds(durationSecs), formatCount(keyCount, "key"), formatBytes(bytes), ORIGINS[origin]];
  return `${numbers.join(" · ")}\n${format}`;
}

function offsetField(app: App, recording: OpenRecording): HTMLElement {
  const key = `offset-${recording.info.id}`;
  const value = Number(recording.offsetSecs.toFixed(3));
  const field = element("input", { type: "number", step: 0.01, value, "data-key": key });
  field.addEventListener("change", () => {
    const secs = field.valueAsNumber;
    // Nothing in the field means no shift.
    app.setOffset(recording, Number.isFinite(secs) ? secs : 0);
  });
  return element("label", { class: "field take-offset" }, "Starts at", field, "s");
}

function failures(app: App): HTMLElement | null {
  const { failures } = app.state.viewer;
  if (failures.length === 0) {
    return null;
  }
  const rows = failures.map(({ name, error }) => element("li", {}, element("strong", {}, name), paragraph(error)));
  return element("div", {}, heading("Could not be opened"), element("ul", { class: "rows failures" }, ...rows));
}
