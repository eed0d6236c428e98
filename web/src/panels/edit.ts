/** Changes to a take: try out, keep or discard, undo, save. Only with `holotape view --edit`. */

import { type Signal, signal } from "@preact/signals-core";
import "./edit.css";
import type { Span } from "../api";
import type { App } from "../app";
import { element, iconElement } from "../dom";
import { ICONS } from "../icons";
import { formatSpan } from "../number-format";
import { type OpenRecording, toLocalTime } from "../state";
import { OptimizeForm } from "./optimize-form";
import { actionButton, editedRecording, heading, paragraph, setChildren, whileShown } from "./panel";
import { previewBanner, previewOf, previewTask, type Reports, startPreview } from "./preview";
import { SaveForm } from "./save-form";

export function mountEdit(host: HTMLElement, app: App): void {
  const { state } = app;
  /** What was done for a preview, by its id. */
  const reports: Signal<Reports> = signal(new Map());
  const changes = element("div", { class: "changes" });
  const optimizing = new OptimizeForm(app, (recording, request) => startPreview(app, recording, request, reports));
  const saving = new SaveForm(app);
  host.append(changes, saving.view);
  let lastPreview: number | null = null;
  whileShown(state, "edit", () => {
    const recording = editedRecording(state);
    saving.show(recording);
    if (recording === null) {
      setChildren(changes, paragraph("No recording to change."));
      return;
    }
    const preview = previewOf(state, recording);
    const offers =
      preview === null
        ? changeControls(app, recording, optimizing, reports)
        : [previewBanner(app, recording, preview, reports.value)];
    setChildren(changes, steps(app, recording), ...offers);
    if (preview !== null && preview.info.id !== lastPreview) {
      host.scrollTop = 0;
    }
    lastPreview = preview?.info.id ?? null;
  });
}

function changeControls(
  app: App,
  recording: OpenRecording,
  optimizing: OptimizeForm,
  reports: Signal<Reports>,
): HTMLElement[] {
  const repair = {
    words: "Preview the repair",
    task: previewTask(recording),
    act: () => startPreview(app, recording, { what: "repair" }, reports),
  };
  return [
    trimControls(app, recording, app.state.range.value),
    heading("Repair"),
    paragraph("Mends what the findings say can be mended, and leaves the rest alone."),
    actionButton(app, repair, { "data-key": "repair" }),
    heading("Optimize"),
    paragraph("Leaves out keys that are not needed to stay within these bounds."),
    optimizing.of(recording),
  ];
}

function steps(app: App, recording: OpenRecording): HTMLElement {
  const { canUndo, canRedo } = recording.info;
  return element(
    "div",
    { class: "steps" },
    stepButton("Undo", ICONS.undo, canUndo, () => void app.edit(recording, { op: "undo" })),
    stepButton("Redo", ICONS.redo, canRedo, () => void app.edit(recording, { op: "redo" })),
  );
}

function stepButton(words: string, icon: string, isPossible: boolean, act: () => void): HTMLElement {
  const button = element("button", { type: "button", disabled: !isPossible, "data-key": words, on: { click: act } });
  button.append(iconElement(icon), words);
  return button;
}

function trimControls(app: App, recording: OpenRecording, range: Span | null): HTMLElement {
  const own: Span | null = range && [toLocalTime(recording, range[0]), toLocalTime(recording, range[1])];
  const trim = {
    words: "Trim to the range",
    task: `trim ${recording.info.id}`,
    act: () => own && app.edit(recording, { op: "trim", from: own[0], to: own[1] }),
  };
  const button = actionButton(app, trim, { "data-key": "trim" });
  button.disabled = own === null;
  const words = own === null ? "Set a range on the timeline to trim to it." : `Keeps ${formatSpan(own)}.`;
  return element("div", {}, heading("Trim"), paragraph(words), button);
}
