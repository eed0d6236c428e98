/** Downloads: the recording, an animated scene, a table, an image. */

import type { AppProperties } from "../components";
import "./exports.css";
import type { DownloadFormat } from "../api";
import { saveBlob, stemOf } from "../files";
import { formatFixed, formatSeconds, formatSpan } from "../number-format";
import type { SceneView } from "../scene";
import { toLocalSpan } from "../state";
import { Muted, TaskButton } from "./panel";

const FORMATS: readonly { readonly format: DownloadFormat; readonly title: string; readonly help: string }[] = [
  { format: "bin", title: "Recording", help: "For Unity, MRTK and holotape" },
  { format: "glb", title: "Animated scene", help: "glTF, for Blender and game engines" },
  { format: "csv", title: "Table", help: "One row per frame, for spreadsheets and scripts" },
];

export function ExportPanel({ app, scene }: AppProperties & { readonly scene: SceneView }) {
  const recording = app.state.active.value;
  if (recording === null) {
    return <Muted>No recording.</Muted>;
  }
  const { id, name, duration_secs } = recording.info;
  const range = app.state.range.value;
  const span = range === null ? `all, ${formatSeconds(duration_secs)}` : formatSpan(toLocalSpan(recording, range));
  const saveImage = async () =>
    saveBlob(`${stemOf(name)}-${formatFixed(app.state.time.value, 2)}s.png`, await scene.snapshot());
  return (
    <>
      {app.server !== null && <p class="export-range">{`${name}: ${span}`}</p>}
      {app.server !== null &&
        FORMATS.map(({ format, title, help }) => (
          <Download
            key={format}
            title={title}
            help={help}
            extension={format}
            app={app}
            id={id}
            run={() => app.download(recording, format)}
          />
        ))}
      <Download title="Image" help="The current view of the scene" extension="png" app={app} id={id} run={saveImage} />
      {app.server === null && (
        <Muted>
          An exported page offers no other downloads. Use <code>holotape view</code> for recordings, scenes and tables.
        </Muted>
      )}
    </>
  );
}

interface DownloadProperties extends AppProperties {
  readonly title: string;
  readonly help: string;
  readonly extension: string;
  /** Of the recording. */
  readonly id: number;
  readonly run: () => unknown;
}

function Download({ app, title, help, extension, id, run }: DownloadProperties) {
  const label = `Download ${title}, .${extension}`;
  return (
    <div class="download">
      <div>
        <strong>{title}</strong>
        <Muted>{help}</Muted>
      </div>
      <TaskButton app={app} task={`${extension} ${id}`} run={run} aria-label={label}>
        {`.${extension}`}
      </TaskButton>
    </div>
  );
}
