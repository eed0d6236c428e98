/** What is said while recording and watching, as `docs/stream.md` has it. */

export interface Ready {
  readonly type: "ready";
  readonly take: string;
  /** What it will be saved as. */
  readonly name: string;
  /** How many records the server has. */
  readonly records: number;
}

export interface SavedTake {
  readonly type: "saved";
  readonly take: string;
  readonly name: string;
  readonly frames: number;
  readonly markers: number;
  readonly durationSecs: number;
  readonly losses: readonly string[];
  /** The number of the take in the viewer, if it is shown there. */
  readonly id?: number;
}

/** What the server says to who records. */
export type RecorderMessage =
  | Ready
  | SavedTake
  | { readonly type: "received"; readonly records: number }
  | { readonly type: "warning"; readonly warning: string }
  | { readonly type: "discarded"; readonly take: string }
  | { readonly type: "error"; readonly code: string; readonly error: string };

/** A take that is being recorded. */
export interface LiveTakeInfo {
  readonly take: string;
  readonly name: string;
  readonly frames: number;
  readonly durationSecs: number;
  /** Whether who records it is connected now. */
  readonly connected: boolean;
}

/** What the server says to who watches. */
export type WatcherMessage =
  | { readonly type: "live"; readonly takes: readonly LiveTakeInfo[] }
  | { readonly type: "saved"; readonly take: string; readonly name: string; readonly id: number | null };

/** What a text message says; nothing if it says nothing that can be read. */
export function parseMessage<Message>(data: unknown): Message | null {
  try {
    return typeof data === "string" ? (JSON.parse(data) as Message) : null;
  } catch {
    return null;
  }
}

/** The address of a WebSocket of the server that the page came from. */
export function socketAddress(path: string): string {
  const address = new URL(`/api/${path}`, location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}
