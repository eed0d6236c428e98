/** Where takes come from: a server, or the page itself. */

import type { DownloadKind, Edit, Preview, PreviewRequest, Saved, Session, Span, TakeInfo } from "../api";
import { EmbeddedSource, isEmbedded } from "./embedded";
import { ServerSource } from "./server";

export interface Downloaded {
  readonly name: string;
  readonly blob: Blob;
  /** What the format could not hold, in words. */
  readonly losses: readonly string[];
}

export interface Source {
  /** What a page on its own cannot do is told by these being absent. */
  readonly server: ServerSide | null;
  session(): Promise<Session>;
  /** The bytes of a take's tape, unzipped. */
  tape(take: TakeInfo): Promise<Uint8Array>;
}

export interface ServerSide {
  upload(file: File): Promise<TakeInfo>;
  close(take: TakeInfo): Promise<void>;
  download(take: TakeInfo, kind: DownloadKind, range: Span | null): Promise<Downloaded>;
  edit(take: TakeInfo, edit: Edit): Promise<TakeInfo>;
  preview(take: TakeInfo, request: PreviewRequest): Promise<Preview>;
  /** Fails with a `FileExists` if the file is there and may not be replaced. */
  save(take: TakeInfo, name: string, replace: boolean): Promise<Saved>;
}

export class FileExists extends Error {}

/** The source of this page: takes that it carries, or else the server that it came from. */
export function sourceOfPage(): Source {
  return isEmbedded() ? new EmbeddedSource() : new ServerSource();
}
