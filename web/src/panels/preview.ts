/** A change that is tried out beside its take, until it is kept or discarded. */

import type { Signal } from "@preact/signals-core";
import type { PreviewRequest, RecordingInfo } from "../api";
import type { App } from "../app";
import { element } from "../dom";
import { formatBytes, formatCount } from "../number-format";
import type { OpenRecording, State } from "../state";
import { actionButton, heading, paragraph } from "./panel";

/** What was done, in words, by the id of the preview. */
export type Reports = ReadonlyMap<number, readonly string[]>;

export function previewOf(state: State, recording: OpenRecording): OpenRecording | null {
  return state.recordings.value.find((other) => other.info.previewOf === recording.info.id) ?? null;
}

/** One at a time for a take, whichever it is. */
export function previewTask(recording: OpenRecording): string {
  return `preview ${recording.info.id}`;
}

export async function startPreview(
  app: App,
  recording: OpenRecording,
  request: PreviewRequest,
  reports: Signal<Reports>,
): Promise<void> {
  const preview = await app.preview(recording, request);
  if (preview !== null) {
    reports.value = new Map([...reports.value, [preview.take.id, preview.report]]);
  }
}

export function discardPreview(app: App, preview: OpenRecording): Promise<void> {
  return resolvePreview(app, preview, () => app.close(preview));
}

export function previewBanner(
  app: App,
  recording: OpenRecording,
  preview: OpenRecording,
  reports: Reports,
): HTMLElement {
  const lines = (reports.get(preview.info.id) ?? []).map((line) => element("li", {}, line));
  const task = `decide ${preview.info.id}`;
  const keep = {
    words: "Keep",
    task,
    act: () => resolvePreview(app, preview, () => app.edit(recording, { op: "accept", preview: preview.info.id })),
  };
  const discard = { words: "Discard", task, act: () => discardPreview(app, preview) };
  return element(
    "section",
    { class: "preview-banner", "aria-label": "Preview" },
    heading("Preview"),
    lines.length === 0 ? null : element("ul", {}, ...lines),
    beforeAndAfter(recording.info, preview.info),
    paragraph("The scene shows both, and how far they are apart."),
    element(
      "div",
      { class: "decision" },
      actionButton(app, keep, { class: "primary", "data-key": "keep" }),
      actionButton(app, discard, { "data-key": "discard" }),
    ),
  );
}

/** With the preview goes the comparison, which was switched on for it. */
async function resolvePreview({ state }: App, preview: OpenRecording, act: () => Promise<unknown>): Promise<void> {
  await act();
  const isThere = state.recordings.value.some((recording) => recording.info.id === preview.info.id);
  state.difference.value = isThere && state.difference.value;
}

function beforeAndAfter(before: RecordingInfo, after: RecordingInfo): HTMLElement {
  const row = (words: string, number: (info: RecordingInfo) => string, size: (info: RecordingInfo) => number) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, words),
      ...[number(before), number(after), formatChange(size(before), size(after))].map((text) =>
        element("td", { class: "numbers" }, text),
      ),
    );
  const heads = ["Before", "After", "Change"].map((words) => element("th", { scope: "col" }, words));
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element(
      "tbody",
      {},
      row(
        "Keys",
        (info) => formatCount(info.keyCount, "", ""),
        (info) => info.keyCount,
      ),
      row(
        "Size",
        (info) => formatBytes(info.bytes),
        (info) => info.bytes,
      ),
      row(
        "Findings",
        (info) => `${info.findings.length}`,
        (info) => info.findings.length,
      ),
    ),
  );
}

/** "-79 %". */
function formatChange(before: number, after: number): string {
  if (before === after) {
    return "none";
  }
  const percent = before === 0 ? Number.POSITIVE_INFINITY : (100 * (after - before)) / before;
  return Number.isFinite(percent) ? `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(0)} %` : `+${after}`;
}
