/** Files to keep: the recording, a scene, a table, a picture. */

import "./exports.css";
import type { DownloadFormat, Span } from "../api";
import { type App, saveBlob } from "../app";
import { element } from "../dom";
import { stemOf } from "../files";
import { formatFixed, formatSeconds, formatSpan } from "../number-format";
import type { SceneView } from "../scene";
import { type OpenRecording, toLocalTime } from "../state";
import { actionButton, paragraph, setChildren, whileShown } from "./panel";

const KINDS: readonly { readonly kind: DownloadFormat; readonly title: string; readonly words: string }[] = [
  { kind: "bin", title: "Recording", words: "For Unity and MRTK, and for holotape" },
  { kind: "glb", title: "Animated scene", words: "glTF, for Blender and engines" },
  { kind: "csv", title: "Table", words: "A row for each frame, for spreadsheets and scripts" },
];

export function mountExports(host: HTMLElement, app: App, scene: SceneView): void {
  whileShown(app.state, "export", () => {
    const recording = app.state.active.value;
    if (recording === null) {
      setChildren(host, paragraph("No recording."));
    } else {
      setChildren(
        host,
        ...downloads(app, recording),
        picture(app, recording, scene),
        app.server === null ? help() : null,
      );
    }
  });
}

function downloads(app: App, recording: OpenRecording): HTMLElement[] {
  if (app.server === null) {
    return [];
  }
  const range = paragraph(`${recording.info.name}: ${rangeText(recording, app.state.range.value)}`, "export-range");
  const offers = KINDS.map(({ kind, title, words }) =>
    offer(app, recording, { key: kind, title, words }, () => app.download(recording, kind)),
  );
  return [range, ...offers];
}

/** In the take's own time: it is what the file will have. */
function rangeText(recording: OpenRecording, range: Span | null): string {
  return range === null
    ? `all of it, ${formatSeconds(recording.info.durationSecs)}`
    : formatSpan([toLocalTime(recording, range[0]), toLocalTime(recording, range[1])]);
}

function picture(app: App, recording: OpenRecording, scene: SceneView): HTMLElement {
  return offer(app, recording, { key: "png", title: "Picture", words: "The scene as it is seen now" }, async () => {
    saveBlob(`${stemOf(recording.info.name)}-${formatFixed(app.state.time.value, 2)}s.png`, await scene.snapshot());
  });
}

function offer(
  app: App,
  recording: OpenRecording,
  { key, title, words }: { key: string; title: string; words: string },
  act: () => unknown,
): HTMLElement {
  const action = { words: `.${key}`, task: `${key} ${recording.info.id}`, act };
  const button = actionButton(app, action, { "data-key": key, "aria-label": `Download ${title}, .${key}` });
  return element("div", { class: "offer" }, element("div", {}, element("strong", {}, title), paragraph(words)), button);
}

function help(): HTMLElement {
  return element(
    "p",
    { class: "muted" },
    "This page shows what it carries. Recordings, scenes and tables can be had from ",
    element("code", {}, "holotape view"),
    ".",
  );
}
