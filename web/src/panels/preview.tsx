/** A repair or an optimization that is shown next to its recording until it is accepted or discarded. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { RecordingInfo } from "../api";
import type { RecordingProperties } from "../components";
import { formatBytes, formatCount } from "../number-format";
import type { OpenRecording } from "../state";
import { Muted, TaskButton } from "./panel";

/** A recording has at most one preview, so all previews share one task. */
export function previewTask(recording: OpenRecording): string {
  return `preview ${recording.info.id}`;
}

export function PreviewBanner({ app, recording, preview }: RecordingProperties & { readonly preview: OpenRecording }) {
  const banner = useRef<HTMLElement>(null);
  useLayoutEffect(() => banner.current?.scrollIntoView({ block: "nearest" }), []);
  const task = `resolve ${preview.info.id}`;
  return (
    <section class="preview-banner" aria-label="Preview" ref={banner}>
      <h3>Preview</h3>
      {preview.report.length > 0 && (
        <ul>
          {preview.report.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <BeforeAndAfter before={recording.info} after={preview.info} />
      <Muted>The scene shows both recordings and their difference.</Muted>
      <div class="decision">
        <TaskButton app={app} task={task} run={() => app.resolvePreview(preview, true)} class="primary">
          Apply
        </TaskButton>
        <TaskButton app={app} task={task} run={() => app.resolvePreview(preview, false)}>
          Discard
        </TaskButton>
      </div>
    </section>
  );
}

interface Figure {
  readonly label: string;
  readonly value: (info: RecordingInfo) => number;
  readonly format: (value: number) => string;
}

const FIGURES: readonly Figure[] = [
  { label: "Keys", value: (info) => info.key_count, format: (count) => formatCount(count, "", "") },
  { label: "Size", value: (info) => info.file_bytes, format: formatBytes },
  { label: "Findings", value: (info) => info.findings.length, format: String },
];

function BeforeAndAfter({ before, after }: { readonly before: RecordingInfo; readonly after: RecordingInfo }) {
  return (
    <table>
      <thead>
        <tr>
          <td />
          <th scope="col">Before</th>
          <th scope="col">After</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {FIGURES.map(({ label, value, format }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="numbers">{format(value(before))}</td>
            <td class="numbers">{format(value(after))}</td>
            <td class="numbers">{formatChange(value(before), value(after))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "−79 %". */
function formatChange(before: number, after: number): string {
  if (before === after) {
    return "none";
  }
  if (before === 0) {
    return `+${after}`;
  }
  const percent = (100 * (after - before)) / before;
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(0)} %`;
}
