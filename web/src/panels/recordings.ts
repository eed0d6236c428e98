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
    const takes = state.takes.value;
    const active = state.active.value;
    const list = element("ul", { class: "rows" }, ...takes.map((take) => row(app, take, asked)));
    setChildren(
      host,
      takes.length === 0 ? emptyMessage(app) : list,
      takes.length > 0 && app.server !== null ? openButton(app) : null,
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

function row(app: App, take: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const isActive = app.state.activeId.value === take.info.id;
  const isAsked = asked.value === take.info.id;
  const item = element("li", { class: "take", "aria-current": isActive ? "true" : null });
  item.append(swatch(take), nameButton(app, take), eyeButton(app, take));
  const canClose = CLOSABLE.includes(take.info.origin);
  if (canClose && !isAsked) {
    item.append(closeButton(app, take, asked));
  }
  item.append(element("p", { class: "take-facts muted" }, detailsOf(take.info)));
  if (app.state.takes.value.length > 1) {
    item.append(offsetField(app, take));
  }
  if (isAsked) {
    item.append(closeQuestion(app, take, asked));
  }
  return item;
}

function swatch({ colorIndex: tint }: OpenRecording): HTMLElement {
  const made = element("span", { class: "take-swatch", "aria-hidden": "true" });
  made.style.background = `var(--${recordingColorName(tint)})`;
  return made;
}

function nameButton(app: App, take: OpenRecording): HTMLElement {
  const { id, name, modified } = take.info;
  const isActive = app.state.activeId.value === id;
  const mark = modified ? element("span", { class: "take-modified" }, "modified") : null;
  const button = element(
    "button",
    { type: "button", class: "plain take-name", "aria-pressed": `${isActive}`, title: name, "data-key": `name-${id}` },
    element("span", {}, name),
    mark,
  );
  button.addEventListener("click", () => app.activate(take));
  return button;
}

function eyeButton(app: App, take: OpenRecording): HTMLElement {
  const { visible, info } = take;
  const icon = visible ? ICONS.eye : ICONS.eyeOff;
  const button = iconButton(icon, `Show ${info.name} in the scene`, () => app.setVisible(take, !visible));
  button.setAttribute("aria-pressed", `${visible}`);
  button.dataset.key = `eye-${info.id}`;
  return button;
}

function closeButton(app: App, take: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const { id, name, origin } = take.info;
  const label = origin === "preview" ? `Discard ${name}` : `Close ${name}`;
  const button = iconButton(ICONS.close, label, () => closeOrAsk(app, take, asked));
  button.dataset.key = closeKey(id);
  return button;
}

function closeOrAsk(app: App, take: OpenRecording, asked: Signal<number | null>): void {
  if (take.info.origin === "preview") {
    void discardPreview(app, take);
  } else if (take.info.modified) {
    asked.value = take.info.id;
  } else {
    void app.close(take);
  }
}

/** What was opened here is nowhere else: its changes would be gone. */
function closeQuestion(app: App, take: OpenRecording, asked: Signal<number | null>): HTMLElement {
  const answer = (act: () => void) => () => {
    asked.value = null;
    act();
  };
  const close = answer(() => void app.close(take));
  // In the place of the button that asked: Enter once too often must not cost a recording.
  const cancel = { type: "button", "data-key": closeKey(take.info.id), on: { click: answer(() => {}) } };
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

function offsetField(app: App, take: OpenRecording): HTMLElement {
  const key = `offset-${take.info.id}`;
  const value = Number(take.offsetSecs.toFixed(3));
  const field = element("input", { type: "number", step: 0.01, value, "data-key": key });
  field.addEventListener("change", () => {
    const secs = field.valueAsNumber;
    // Nothing in the field means no shift.
    app.setOffset(take, Number.isFinite(secs) ? secs : 0);
  });
  return element("label", { class: "field take-offset" }, "Starts at", field, "s");
}

function failures(app: App): HTMLElement | null {
  const { failures } = app.state.session;
  if (failures.length === 0) {
    return null;
  }
  const rows = failures.map(({ name, error }) => element("li", {}, element("strong", {}, name), paragraph(error)));
  return element("div", {}, heading("Could not be opened"), element("ul", { class: "rows failures" }, ...rows));
}
