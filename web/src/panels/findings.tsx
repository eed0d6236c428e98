/** The findings of `holotape check` for the active recording. */

import { useSignal, useSignalEffect } from "@preact/signals";
import "./findings.css";
import type { FindingInfo } from "../api";
import type { App } from "../app";
import { type AppProperties, Icon } from "../components";
import { ICONS } from "../icons";
import { formatSpan } from "../number-format";
import type { OpenRecording } from "../state";
import { Muted, Rows } from "./panel";

type Severity = FindingInfo["severity"];

/** The worst first. */
const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];
const SEVERITY_ICONS: Readonly<Record<Severity, string>> = {
  error: ICONS.error,
  warning: ICONS.alert,
  note: ICONS.info,
};
/** The part of a subject that the scene can highlight: a hand, a joint, the camera or the gaze. */
const SCENE_SUBJECT = /^(?:camera|gaze|(?:left|right)(?:\.[A-Z]\w*)?)(?=\.|$)/;

export function FindingsPanel({ app }: AppProperties) {
  const { active } = app.state;
  const selectedKey = useSignal<string | null>(null);
  const findingsOf = (recording: OpenRecording | null) => recording?.info.findings ?? [];
  useSignalEffect(() => {
    const keys = findingsOf(active.value).map((finding) => keyOf(active.value, finding));
    if (selectedKey.value !== null && !keys.includes(selectedKey.value)) {
      selectedKey.value = null;
      app.view.highlight(null);
    }
  });
  const recording = active.value;
  const findings = SEVERITIES.flatMap((severity) =>
    findingsOf(recording).filter((finding) => finding.severity === severity),
  );
  if (findings.length === 0) {
    return <Muted>{recording === null ? "No recording." : "No findings."}</Muted>;
  }
  return (
    <Rows items={findings}>
      {(finding) => {
        const key = keyOf(recording, finding);
        const isSelected = selectedKey.value === key;
        const select = () => {
          selectedKey.value = isSelected ? null : key;
          showFinding(app, recording, isSelected ? null : finding);
        };
        return <FindingRow key={key} finding={finding} isSelected={isSelected} onSelect={select} />;
      }}
    </Rows>
  );
}

/** Identifies a finding across edits of its recording. */
function keyOf(recording: OpenRecording | null, { code, subject, message, span_secs }: FindingInfo): string {
  return [recording?.info.id, code, subject, message, span_secs].join(" ");
}

interface FindingRowProperties {
  readonly finding: FindingInfo;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function FindingRow({ finding, isSelected, onSelect }: FindingRowProperties) {
  const { severity, subject, message, span_secs, code, advice, repairable } = finding;
  return (
    <li>
      <button type="button" class="plain finding" aria-pressed={isSelected} onClick={onSelect}>
        <span class="finding-title">
          <span class={`severity ${severity}`}>
            <Icon path={SEVERITY_ICONS[severity]} />
            {severity}
          </span>
          <span class="finding-subject">{subject}</span>
          {repairable && <span class="tag">repairable</span>}
        </span>
        <span class="finding-message">{message}</span>
        <span class="finding-details muted numbers">
          {span_secs && formatSpan(span_secs)}
          <code>{code}</code>
        </span>
        <span class="muted">{advice}</span>
      </button>
    </li>
  );
}

/** Highlights the subject of a finding, draws its curve and seeks to its start. `null` ends the highlight. */
function showFinding(app: App, recording: OpenRecording | null, finding: FindingInfo | null): void {
  const subject = finding?.subject ?? null;
  app.view.highlight(subject?.match(SCENE_SUBJECT)?.[0] ?? null);
  if (subject !== null && recording?.curves.byName.has(subject)) {
    app.view.showCurves([subject], true);
  }
  if (finding?.span_secs) {
    app.playback.seek(finding.span_secs[0] + (recording?.offsetSecs ?? 0));
  }
}
