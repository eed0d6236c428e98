/** Takes from the server that the page came from. */

import type { DownloadKind, Edit, Preview, PreviewRequest, Refusal, Saved, Session, Span, TakeInfo } from "../api";
import { stemOf } from "../files";
import { type Downloaded, FileExists, type ServerSide, type Source } from "./index";

export class ServerSource implements Source, ServerSide {
  readonly server = this;

  /** Of all takes, or of the one of a corpus that the address names. */
  async session(): Promise<Session> {
    const take = new URLSearchParams(location.search).get("take");
    return (await ask(take === null ? "session" : `session?take=${encodeURIComponent(take)}`)).json();
  }

  async tape(take: TakeInfo): Promise<Uint8Array> {
    const answer = await ask(`takes/${take.id}/tape?revision=${take.tapeRevision}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  async upload(file: File): Promise<TakeInfo> {
    await tryToRead(file);
    return (await ask(`takes?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json();
  }

  async close(take: TakeInfo): Promise<void> {
    await ask(`takes/${take.id}`, { method: "DELETE" });
  }

  async download(take: TakeInfo, kind: DownloadKind, range: Span | null): Promise<Downloaded> {
    const query = new URLSearchParams({ as: kind });
    if (range !== null) {
      query.set("from", `${range[0]}`);
      query.set("to", `${range[1]}`);
    }
    const answer = await ask(`takes/${take.id}/download?${query}`);
    const losses = answer.headers.get("holotape-losses");
    return {
      name: `${stemOf(take.name)}${range === null ? "" : `-${range[0].toFixed(2)}-${range[1].toFixed(2)}s`}.${kind}`,
      blob: await answer.blob(),
      losses: losses === null ? [] : (JSON.parse(decodeURIComponent(losses)) as string[]),
    };
  }

  async edit(take: TakeInfo, edit: Edit): Promise<TakeInfo> {
    return (await post(`takes/${take.id}/edit`, { ...edit, revision: take.revision })).json();
  }

  async preview(take: TakeInfo, request: PreviewRequest): Promise<Preview> {
    return (await post(`takes/${take.id}/preview`, request)).json();
  }

  async save(take: TakeInfo, name: string, replace: boolean): Promise<Saved> {
    return (await post(`takes/${take.id}/save`, { name, replace, revision: take.revision })).json();
  }
}

/** To send what cannot be read fails as sending to nobody does: who reads its beginning first knows which it is. */
async function tryToRead(file: File): Promise<void> {
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
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function ask(path: string, request?: RequestInit): Promise<Response> {
  const answer = await fetch(`/api/${path}`, request).catch(() => {
    throw new Error("holotape no longer answers: was it stopped?");
  });
  if (answer.ok) {
    return answer;
  }
  const refusal = (await answer.json().catch(() => null)) as Refusal | null;
  const words = refusal?.error ?? `the server answered ${answer.status}`;
  throw answer.status === 409 ? new FileExists(words) : new Error(words);
}
