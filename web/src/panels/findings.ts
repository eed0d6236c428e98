/** What `holotape check` has to say about the active take. */

import { effect, type Signal, signal } from "@preact/signals-core";
import "./findings.css";
import type { Finding } from "../api";
import type { App } from "../app";
import { element, iconElement } from "../dom";
import { ICONS } from "../icons";
import { formatSpan } from "../number-format";
import type { OpenRecording } from "../state";
import { paragraph, rowsOf, setChildren, whileShown } from "./panel";

type Severity = Finding["severity"];

/** The worst first. */
const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];
const SEVERITY_ICONS: Readonly<Record<Severity, string>> = {
  error: ICONS.fault,
  warning: ICONS.alert,
  note: ICONS.info,
};
/** A hand with a joint, a channel: what the scene can point out. */
const PLACE_IN_SCENE = /^(?:camera|gaze|(?:left|right)(?:\.[A-Z]\w*)?)(?=\.|$)/;

export function mountFindings(host: HTMLElement, app: App): void {
  const { state } = app;
  /** The key of the finding that is pointed out. */
  const chosen: Signal<string | null> = signal(null);
  const forgetChosen = (recording: OpenRecording | null) => {
    const { value } = chosen;
    if (value !== null && !recording?.info.findings.some((finding) => keyOf(recording, finding) === value)) {
      chosen.value = null;
      state.highlightedSubject.value = null;
    }
  };
  effect(() => forgetChosen(state.active.value));
  whileShown(state, "findings", () => {
    const recording = state.active.value;
    const findings = worstFirst(recording?.info.findings ?? []);
    const rows = rowsOf(findings, (finding) => row(app, recording, finding, chosen));
    setChildren(host, findings.length === 0 ? emptyMessage(recording) : rows);
  });
}

function emptyMessage(recording: OpenRecording | null): HTMLElement {
  return recording === null ? paragraph("No recording.") : paragraph("Nothing to complain about.");
}

function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

/** A take that has changed has other findings, even if they say the same. */
function keyOf(recording: OpenRecording | null, { code, place, message, spanSecs }: Finding): string {
  return [recording?.info.id, code, place, message, spanSecs].join(" ");
}

function row(app: App, recording: OpenRecording | null, finding: Finding, chosen: Signal<string | null>): HTMLElement {
  const key = keyOf(recording, finding);
  const isChosen = chosen.value === key;
  const button = element(
    "button",
    { type: "button", class: "plain finding", "aria-pressed": `${isChosen}`, "data-key": key },
    titleOf(finding),
    element("span", { class: "finding-message" }, finding.message),
    recordingSummary(finding),
    finding.help === null ? null : element("span", { class: "muted" }, finding.help),
  );
  button.addEventListener("click", () => {
    chosen.value = isChosen ? null : key;
    show(app, recording, isChosen ? null : finding);
  });
  return element("li", {}, button);
}

function titleOf({ severity, place, mendable }: Finding): HTMLElement {
  const mark = element("span", { class: `severity ${severity}` }, severity);
  mark.prepend(iconElement(SEVERITY_ICONS[severity]));
  const where = element("span", { class: "finding-place" }, place ?? "");
  const tag = mendable ? element("span", { class: "tag" }, "can be repaired") : null;
  return element("span", { class: "finding-title" }, mark, where, tag);
}

function recordingSummary({ code, spanSecs }: Finding): HTMLElement {
  const when = spanSecs === null ? "" : formatSpan(spanSecs);
  return element("span", { class: "finding-facts muted numbers" }, when, element("code", {}, code));
}

/** Goes to the place and the time of a finding; back to no place if there is none. */
function show(app: App, recording: OpenRecording | null, finding: Finding | null): void {
  const { state } = app;
  const place = finding?.place ?? null;
  state.highlightedSubject.value = place?.match(PLACE_IN_SCENE)?.[0] ?? null;
  if (place !== null && recording?.curves.byName.has(place)) {
    app.showCurves([place], true);
  }
  if (finding?.spanSecs) {
    app.seek(finding.spanSecs[0] + (recording?.offsetSecs ?? 0));
  }
}
