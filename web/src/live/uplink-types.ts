/** The interfaces of `TakeUplink`. */

import type { SavedTake } from "../api";

/** The part of `WebSocket` that the uplink uses. */
export interface Socket {
  binaryType: BinaryType;
  readonly bufferedAmount: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: string | ArrayBufferView<ArrayBuffer>): void;
  close(): void;
}

/** The time and the timer of the uplink. Tests replace them. */
export interface Clock {
  /** Milliseconds since a fixed time. Never steps back. */
  now(): number;
  /** Calls a function periodically until the returned function is called. */
  every(periodMs: number, callback: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  every: (periodMs, callback) => {
    const timer = setInterval(callback, periodMs);
    return () => clearInterval(timer);
  },
};

/** Events of the uplink; `saved`, `discarded` and `failed` are final. */
export interface UplinkListener {
  saved(saved: SavedTake): void;
  /** `isOffline`: the server could not be notified, and saves the records it has. */
  discarded(isOffline: boolean): void;
  /**
   * The server no longer has the take, which continues as a new one. Acknowledged records are in the journal, or saved as the message says.
   */
  takeSplit(message: string, journal: string | null): void;
  /** Reports a problem; the take continues. */
  warned(message: string): void;
  /** `journal`: the server was restarted and no longer has the take, which is in its journal. */
  failed(message: string, journal: string | null): void;
}

export type Connection = "connecting" | "connected" | "lost";

/** 32 hexadecimal digits. */
export function newTakeId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
