/** Takes from the server that the page came from. */

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
import { type Downloaded, FileExists, type RecordingProvider, type ServerActions } from "./index";

export class ServerSource implements RecordingProvider, ServerActions {
  readonly server = this;

  /** Of all takes, or of the one of a corpus that the address names. */
  async viewerState(): Promise<ViewerState> {
    const recording = new URLSearchParams(location.search).get("take");
    return (await fetchApi(recording === null ? "session" : `session?take=${encodeURIComponent(recording)}`)).json();
  }

  async curves(recording: RecordingInfo): Promise<Uint8Array> {
    const answer = await fetchApi(`takes/${recording.id}/tape?revision=${recording.tapeRevision}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async upload(file: File): Promise<RecordingInfo> {
    await checkReadable(file);
    return (await fetchApi(`takes?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json();
  }

  async close(recording: RecordingInfo): Promise<void> {
    await fetchApi(`takes/${recording.id}`, { method: "DELETE" });
  }

  async download(recording: RecordingInfo, kind: DownloadFormat, range: Span | null): Promise<Downloaded> {
    const query = new URLSearchParams({ as: kind });
    if (range !== null) {
      query.set("from", `${range[0]}`);
      query.set("to", `${range[1]}`);
    }
    const answer = await fetchApi(`takes/${recording.id}/download?${query}`);
    const losses = answer.headers.get("holotape-losses");
    return {
      name: `${stemOf(recording.name)}${range === null ? "" : `-${range[0].toFixed(2)}-${range[1].toFixed(2)}s`}.${kind}`,
      blob: await answer.blob(),
      losses: losses === null ? [] : (JSON.parse(decodeURIComponent(losses)) as string[]),
    };
  }

  async edit(recording: RecordingInfo, edit: Edit): Promise<RecordingInfo> {
    return (await post(`takes/${recording.id}/edit`, { ...edit, revision: recording.revision })).json();
  }

  async preview(recording: RecordingInfo, request: PreviewRequest): Promise<Preview> {
    return (await post(`takes/${recording.id}/preview`, request)).json();
  }

  async save(recording: RecordingInfo, name: string, replace: boolean): Promise<SaveResult> {
    return (await post(`takes/${recording.id}/save`, { name, replace, revision: recording.revision })).json();
  }
}

/** To send what cannot be read fails as sending to nobody does: who reads its beginning first knows which it is. */
async function checkReadable(file: File): Promise<void> {
  const reader = file.stream().getReader();
  try {
    await reader.read();
  } catch {
    throw new Error("cannot be read: is it a folder, or has it been moved or deleted?");
  }
  await reader.cancel();
}

function post(path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetchApi(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function fetchApi(path: string, request?: RequestInit): Promise<Response> {
  const answer = await fetch(`/api/${path}`, request).catch(() => {
    throw new Error("holotape no longer answers: was it stopped?");
  });
  if (answer.ok) {
    return answer;
  }
  const refusal = (await answer.json().catch(() => null)) as ApiError | null;
  const words = refusal?.error ?? `the server answered ${answer.status}`;
  throw answer.status === 409 ? new FileExists(words) : new Error(words);
}
