/** Where takes come from: a server, or the page itself. */

import type {
  DownloadFormat,
  Edit,
  Preview,
  PreviewRequest,
  RecordingInfo,
  SaveResult,
  Span,
  ViewerState,
} from "../api";
import { EmbeddedSource, isEmbedded } from "./embedded";
import { ServerSource } from "./server";

export interface Downloaded {
  readonly name: string;
  readonly blob: Blob;
  /** What the format could not hold, in words. */
  readonly losses: readonly string[];
}

export interface RecordingProvider {
  /** What a page on its own cannot do is told by these being absent. */
  readonly server: ServerActions | null;
  viewerState(): Promise<ViewerState>;
  /** The bytes of a take's tape, unzipped. */
  curves(recording: RecordingInfo): Promise<Uint8Array>;
}

export interface ServerActions {
  upload(file: File): Promise<RecordingInfo>;
  close(recording: RecordingInfo): Promise<void>;
  download(recording: RecordingInfo, kind: DownloadFormat, range: Span | null): Promise<Downloaded>;
  edit(recording: RecordingInfo, edit: Edit): Promise<RecordingInfo>;
  preview(recording: RecordingInfo, request: PreviewRequest): Promise<Preview>;
  /** Fails with a `FileExists` if the file is there and may not be replaced. */
  save(recording: RecordingInfo, name: string, replace: boolean): Promise<SaveResult>;
}

export class FileExists extends Error {}

/** The source of this page: takes that it carries, or else the server that it came from. */
export function createProvider(): RecordingProvider {
  return isEmbedded() ? new EmbeddedSource() : new ServerSource();
}
