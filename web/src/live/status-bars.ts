/** What is said over the scene while something is recorded, here or elsewhere, and what can be done about it. */

import { effect } from "@preact/signals-core";
import "./live.css";
import { element } from "../dom";
import { formatBytes, formatCount } from "../number-format";
import type { LiveTakeInfo } from "./messages";
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

/** How long one has to mean it. */
const CONFIRM_MS = 4_000;

/** While this page records. */
export function recordingBar(recorder: HeadsetRecorder): HTMLElement {
  const phase = element("strong", { class: "live-phase" });
  const time = element("span", { class: "live-time numbers" });
  const frames = element("span", { class: "numbers" });
  const connection = element("span", { class: "live-connection" });
  const name = element("span", { class: "live-name" });
  const advice = element("p", { class: "live-advice" });
  const controls = [markerForm(recorder), stopButton(recorder)];
  const bar = element(
    "section",
    { class: "live-bar", "aria-label": "Recording" },
    element("span", { class: "live-words" }, phase, time, frames, connection, name),
    ...controls,
    discardButton(recorder),
    advice,
  );
  effect(() => {
    const status = recorder.status.value;
    bar.hidden = status === null;
    if (status === null) {
      return;
    }
    bar.dataset.phase = status.phase;
    connection.dataset.connection = status.connection;
    setText(phase, PHASES[status.phase]);
    setText(time, formatClock(status.secs));
    setText(frames, formatCount(status.frames, "frame"));
    setText(connection, stateText(status));
    setText(advice, reconnectAdvice(status, location.protocol === "https:"));
    setText(name, status.name === null ? "" : `to be saved as ${status.name}`);
    for (const control of controls) {
      control.inert = status.phase === "saving" || status.phase === "discarding";
    }
  });
  return bar;
}

function stateText(status: TakeStatus): string {
  const bytes = status.connection === "lost" ? ` (${formatBytes(status.keptBytes)})` : "";
  return `${connectionText(status)}${bytes}`;
}

function markerForm(recorder: HeadsetRecorder): HTMLElement {
  const field = element("input", { type: "text", placeholder: "Marker", "aria-label": "Name of the marker" });
  field.maxLength = 200;
  const form = element("form", { class: "live-marker" }, field, element("button", { type: "submit" }, "Add marker"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    recorder.mark(field.value);
    field.value = "";
  });
  return form;
}

function stopButton(recorder: HeadsetRecorder): HTMLElement {
  return element("button", { type: "button", class: "primary", on: { click: () => recorder.stop() } }, "Stop");
}

/** Asks first: nobody gets a discarded take back. */
function discardButton(recorder: HeadsetRecorder): HTMLElement {
  const button = element("button", { type: "button" }, "Discard");
  let timer: number | undefined;
  const ask = (isAsked: boolean) => {
    clearTimeout(timer);
    button.classList.toggle("live-asked", isAsked);
    button.textContent = isAsked ? "Really discard?" : "Discard";
    timer = isAsked ? window.setTimeout(() => ask(false), CONFIRM_MS) : undefined;
  };
  button.addEventListener("click", () => {
    const isSure = button.classList.contains("live-asked");
    ask(!isSure);
    if (isSure) {
      recorder.discard();
    }
  });
  return button;
}

/** While others record. */
export function watchingBar(watcher: Watcher): HTMLElement {
  const bar = element("section", { class: "live-bar", "aria-label": "Being recorded" });
  const rows = new Map<string, Row>();
  effect(() => {
    const takes = watcher.takes.value;
    const hidden = watcher.hidden.value;
    bar.hidden = takes.length === 0;
    for (const take of [...rows.keys()].filter((take) => !takes.some((info) => info.take === take))) {
      rows.get(take)?.element.remove();
      rows.delete(take);
    }
    for (const info of takes) {
      const row = rows.get(info.take) ?? new Row(watcher, info.take);
      rows.set(info.take, row);
      bar.append(row.element);
      row.show(info, hidden.has(info.take));
    }
  });
  return bar;
}

/** One take of others. Stays the same element, so that nobody misses the button. */
class Row {
  readonly element: HTMLElement;
  private readonly words = element("span", { class: "live-words" });
  private readonly toggle = element("button", { type: "button" });
  private isHidden = false;

  constructor(watcher: Watcher, take: string) {
    this.toggle.addEventListener("click", () => watcher.setHidden(take, !this.isHidden));
    const mark = element("span", { class: "live-mark" }, "LIVE");
    this.element = element("div", { class: "live-row" }, mark, this.words, this.toggle);
  }

  show({ name, durationSecs, frames, connected }: LiveTakeInfo, isHidden: boolean): void {
    this.isHidden = isHidden;
    const parts = [name, formatClock(durationSecs), formatCount(frames, "frame"), connected ? "" : "connection lost"];
    setText(this.words, parts.filter((part) => part !== "").join(" · "));
    setText(this.toggle, isHidden ? "Watch" : "Hide");
    this.toggle.setAttribute("aria-label", `${isHidden ? "Watch" : "Hide"} ${name}`);
  }
}

/** Changes words only where they are others: screen readers and who selects them are left in peace. */
function setText(element: HTMLElement, words: string): void {
  if (element.textContent !== words) {
    element.textContent = words;
  }
}
