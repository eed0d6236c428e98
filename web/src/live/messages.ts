/** Messages of the live protocol, described in `docs/stream.md`. Their types are generated from the Rust types. */

import type { Responses, ServerMessage } from "../api";
import { validate } from "../validate";

export type Ready = Extract<ServerMessage, { readonly type: "ready" }>;

/** Parses a text message; `null` if it is not valid. */
export function parseMessage<Name extends "LiveMessage" | "ServerMessage">(
  name: Name,
  data: unknown,
): Responses[Name] | null {
  try {
    return typeof data === "string" ? validate(name, JSON.parse(data)) : null;
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
