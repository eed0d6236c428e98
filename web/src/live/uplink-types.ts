/** What a link is between: a socket on one side, somebody who is told on the other. */

import type { SavedTake } from "./messages";

/** What the link needs of a WebSocket. */
export interface Socket {
  binaryType: BinaryType;
  readonly bufferedAmount: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: string | ArrayBufferView<ArrayBuffer>): void;
  close(): void;
}

/** What the link tells; each of `saved`, `discarded` and `failed` ends it. */
export interface UplinkListener {
  saved(saved: SavedTake): void;
  /** `isAway`: there was no connection over which to tell the server, which saves what it has. */
  discarded(isOffline: boolean): void;
  /** The server no longer has the take: it goes on as another. What was acknowledged is in a journal, or saved as the words say. */
  takeSplit(text: string, journal: string | null): void;
  /** Something to know; it goes on. */
  warned(text: string): void;
  /** In words. */
  failed(text: string): void;
}

export type Connection = "connecting" | "connected" | "lost";

/** Where the server has what it acknowledged of a take: `grasping.journal` for `grasping.bin`. */
export function journalName(name: string | null): string {
  return name === null ? "NAME.journal" : `${name.replace(/\.[^.]*$/, "")}.journal`;
}

/** Nobody else makes up the same. */
export function newTakeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
