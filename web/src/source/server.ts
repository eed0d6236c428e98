/** Recordings from the server that sent the page. */

import type {
  DownloadFormat,
  Edit,
  Preview,
  PreviewRequest,
  RecordingInfo,
  Responses,
  SaveRequest,
  SaveResult,
  Span,
  ViewerState,
} from "../api";
import { stemOf } from "../files";
import type { RecordingCurves } from "../recording/decode";
import { validate } from "../validate";
import { fetchApi } from "./fetch-api";
import { loadCurves } from "./load-curves";
import { loadInWorker } from "./load-in-worker";

/** A source of recordings: the server, or an exported page. */
export interface RecordingProvider {
  /** `null` if there is no server. */
  readonly server: ServerSource | null;
  viewerState(): Promise<ViewerState>;
  /** The curves of a recording; those of a long one are loaded without blocking the page. Rejects if `signal` is aborted. */
  curves(recording: RecordingInfo, onProgress: ProgressCallback, signal: AbortSignal): Promise<RecordingCurves>;
  /** The overview of a long recording: its curves with fewer keys. */
  overview(recording: RecordingInfo): Promise<RecordingCurves>;
}

/** Gets the fraction that is loaded, if the size is known. */
export type ProgressCallback = (fraction: number) => void;

interface Download {
  readonly name: string;
  readonly blob: Blob;
  /** Messages about data that the format cannot represent. */
  readonly losses: readonly string[];
}

export class ServerSource implements RecordingProvider {
  readonly server = this;

  /** The state with all recordings, or with the one that the page address names. */
  async viewerState(): Promise<ViewerState> {
    const recording = new URLSearchParams(location.search).get("recording");
    const query = recording === null ? "" : `?recording=${encodeURIComponent(recording)}`;
    return fetchJson("ViewerState", `state${query}`);
  }

  async curves(info: RecordingInfo, onProgress: ProgressCallback, signal: AbortSignal): Promise<RecordingCurves> {
    const path = `recordings/${info.id}/curves?revision=${info.curves_revision}`;
    return info.has_overview ? loadInWorker({ path }, onProgress, signal) : loadCurves({ path }, onProgress);
  }

  async overview({ id, curves_revision }: RecordingInfo): Promise<RecordingCurves> {
    return loadCurves({ path: `recordings/${id}/curves/overview?revision=${curves_revision}` }, () => {});
  }

  async upload(file: File): Promise<RecordingInfo> {
    await checkReadable(file);
    return fetchJson("RecordingInfo", `recordings?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      body: file,
    });
  }

  async close(recording: RecordingInfo): Promise<void> {
    await fetchApi(`recordings/${recording.id}`, { method: "DELETE" });
  }

  async download(recording: RecordingInfo, format: DownloadFormat, span: Span | null): Promise<Download> {
    const query = new URLSearchParams({ format });
    if (span !== null) {
      query.set("from", `${span[0]}`);
      query.set("to", `${span[1]}`);
    }
    const response = await fetchApi(`recordings/${recording.id}/download?${query}`);
    const losses = response.headers.get("holotape-losses");
    return {
      name: `${stemOf(recording.name)}${span === null ? "" : `-${span[0].toFixed(2)}-${span[1].toFixed(2)}s`}.${format}`,
      blob: await response.blob(),
      losses: losses === null ? [] : (JSON.parse(decodeURIComponent(losses)) as unknown[]).map(String),
    };
  }

  async edit(recording: RecordingInfo, edit: Edit): Promise<RecordingInfo> {
    return post("RecordingInfo", `recordings/${recording.id}/edit`, { ...edit, revision: recording.revision });
  }

  async preview(recording: RecordingInfo, request: PreviewRequest): Promise<Preview> {
    return post("Preview", `recordings/${recording.id}/preview`, request);
  }

  /** Throws `FileExistsError` if the file exists and `replace` is false. */
  async save(recording: RecordingInfo, name: string, replace: boolean): Promise<SaveResult> {
    const request: SaveRequest = { name, replace, revision: recording.revision };
    return post("SaveResult", `recordings/${recording.id}/save`, request);
  }
}

/** Reads the start of a file, because an upload of an unreadable file fails with the same error as a missing server. */
async function checkReadable(file: File): Promise<void> {
  const reader = file.stream().getReader();
  try {
    await reader.read();
  } catch {
    throw new Error("file cannot be read: it is a folder, or it was moved or deleted");
  }
  await reader.cancel();
}

function post<Name extends keyof Responses>(name: Name, path: string, body: unknown): Promise<Responses[Name]> {
  const headers = { "content-type": "application/json" };
  return fetchJson(name, path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function fetchJson<Name extends keyof Responses>(
  name: Name,
  path: string,
  request?: RequestInit,
): Promise<Responses[Name]> {
  return validate(name, await (await fetchApi(path, request)).json());
}
