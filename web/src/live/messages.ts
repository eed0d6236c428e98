/** Messages of the live protocol, described in `docs/stream.md`. */

export interface Ready {
  readonly type: "ready";
  readonly take_id: string;
  /** The name that the take will be saved as. */
  readonly name: string;
  /** The number of records that the server has. */
  readonly record_count: number;
}

export interface SavedTake {
  readonly type: "saved";
  readonly take_id: string;
  readonly name: string;
  readonly frame_count: number;
  readonly marker_count: number;
  readonly duration_secs: number;
  readonly losses: readonly string[];
  /** The id of the saved recording, if it is open in the viewer. */
  readonly recording_id?: number;
}

/** A message from the server to a recorder. */
export type RecorderMessage =
  | Ready
  | SavedTake
  | { readonly type: "ack"; readonly record_count: number }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "discarded"; readonly take_id: string }
  | { readonly type: "error"; readonly code: string; readonly message: string };

export interface LiveTakeInfo {
  readonly take_id: string;
  readonly name: string;
  readonly frame_count: number;
  readonly duration_secs: number;
  /** Whether the recorder is connected. */
  readonly is_connected: boolean;
}

/** A message from the server to a watcher. */
export type WatcherMessage =
  | { readonly type: "live"; readonly takes: readonly LiveTakeInfo[] }
  | { readonly type: "saved"; readonly take_id: string; readonly name: string; readonly recording_id: number | null };

/** Parses a text message; `null` if it is not valid JSON. */
export function parseMessage<Message>(data: unknown): Message | null {
  try {
    return typeof data === "string" ? (JSON.parse(data) as Message) : null;
  } catch {
    return null;
  }
}

/** The URL of a WebSocket route of the server. */
export function socketAddress(path: string): string {
  const address = new URL(`/api/${path}`, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
