/** Recordings from the server that sent the page. */

import type {
  ApiError,
  DownloadFormat,
  Edit,
  Preview,
  PreviewRequest,
  RecordingInfo,
  SaveResult,
  Span,
  ViewerState,
} from "../api";
import { stemOf } from "../files";

/** A source of recordings: the server, or an exported page. */
export interface RecordingProvider {
  /** `null` if there is no server. */
  readonly server: ServerSource | null;
  viewerState(): Promise<ViewerState>;
  /** The curve pack of a recording, decompressed. */
  curves(recording: RecordingInfo): Promise<Uint8Array>;
}

interface Download {
  readonly name: string;
  readonly blob: Blob;
  /** Messages about data that the format cannot represent. */
  readonly losses: readonly string[];
}

export class FileExistsError extends Error {}

export class ServerSource implements RecordingProvider {
  readonly server = this;

  /** The state with all recordings, or with the one that the page address names. */
  async viewerState(): Promise<ViewerState> {
    const recording = new URLSearchParams(location.search).get("take");
    return (await fetchApi(recording === null ? "session" : `session?take=${encodeURIComponent(recording)}`)).json();
  }

  async curves(recording: RecordingInfo): Promise<Uint8Array> {
    const response = await fetchApi(`takes/${recording.id}/tape?revision=${recording.tapeRevision}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  async upload(file: File): Promise<RecordingInfo> {
    await checkReadable(file);
    return (await fetchApi(`takes?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json();
  }

  async close(recording: RecordingInfo): Promise<void> {
    await fetchApi(`takes/${recording.id}`, { method: "DELETE" });
  }

  async download(recording: RecordingInfo, format: DownloadFormat, span: Span | null): Promise<Download> {
    const query = new URLSearchParams({ as: format });
    if (span !== null) {
      query.set("from", `${span[0]}`);
      query.set("to", `${span[1]}`);
    }
    const response = await fetchApi(`takes/${recording.id}/download?${query}`);
    const losses = response.headers.get("holotape-losses");
    return {
      name: `${stemOf(recording.name)}${span === null ? "" : `-${span[0].toFixed(2)}-${span[1].toFixed(2)}s`}.${format}`,
      blob: await response.blob(),
      losses: losses === null ? [] : (JSON.parse(decodeURIComponent(losses)) as string[]),
    };
  }

  async edit(recording: RecordingInfo, edit: Edit): Promise<RecordingInfo> {
    return (await post(`takes/${recording.id}/edit`, { ...edit, revision: recording.revision })).json();
  }

  async preview(recording: RecordingInfo, request: PreviewRequest): Promise<Preview> {
    return (await post(`takes/${recording.id}/preview`, request)).json();
  }

  /** Throws `FileExistsError` if the file exists and `replace` is false. */
  async save(recording: RecordingInfo, name: string, replace: boolean): Promise<SaveResult> {
    return (await post(`takes/${recording.id}/save`, { name, replace, revision: recording.revision })).json();
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

function post(path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetchApi(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function fetchApi(path: string, request?: RequestInit): Promise<Response> {
  const response = await fetch(`/api/${path}`, request).catch(() => {
    throw new Error("server not reachable: check that holotape is still running");
  });
  if (response.ok) {
    return response;
  }
  const error = (await response.json().catch(() => null)) as ApiError | null;
  const message = error?.error ?? `request failed with status ${response.status}`;
  throw response.status === 409 ? new FileExistsError(message) : new Error(message);
}
