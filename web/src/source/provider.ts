/** The interface of a source of recordings: the server, or an exported page. */

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

export interface Download {
  readonly name: string;
  readonly blob: Blob;
  /** Messages about data that the format cannot represent. */
  readonly losses: readonly string[];
}

export interface RecordingProvider {
  /** `null` if there is no server. */
  readonly server: ServerActions | null;
  viewerState(): Promise<ViewerState>;
  /** The curve pack of a recording, decompressed. */
  curves(recording: RecordingInfo): Promise<Uint8Array>;
}

export interface ServerActions {
  upload(file: File): Promise<RecordingInfo>;
  close(recording: RecordingInfo): Promise<void>;
  download(recording: RecordingInfo, format: DownloadFormat, span: Span | null): Promise<Download>;
  edit(recording: RecordingInfo, edit: Edit): Promise<RecordingInfo>;
  preview(recording: RecordingInfo, request: PreviewRequest): Promise<Preview>;
  /** Throws `FileExistsError` if the file exists and `replace` is false. */
  save(recording: RecordingInfo, name: string, replace: boolean): Promise<SaveResult>;
}

export class FileExistsError extends Error {}
