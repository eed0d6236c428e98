/**
 * Replays recordings of heads, hands and eyes into WebXR pages: the entry for pages, among them tests in Vitest's browser mode.
 *
 * ```ts
 * const take = await installRecording(window, await (await fetch("press.bin")).arrayBuffer());
 * await take.step(72);
 * ```
 */

import { PageReplay } from "./device/replay";
import { readRecording } from "./read";
import type { InstallOptions, PageLike, RecordingController, RecordingSource, WindowLike } from "./types";

export { RecordingError } from "./read/error";
export type * from "./types";

const installed = Symbol.for("holotape-webxr");

/** The recording that is installed in this page. */
export interface Host {
  [installed]?: PageReplay;
}

/** At once where bytes are given: what runs next in the page finds the recording's `navigator.xr`. */
export async function installRecording(
  target: WindowLike | PageLike,
  source: RecordingSource,
  options: InstallOptions = {},
): Promise<RecordingController> {
  if ((target as unknown) !== globalThis) {
    const words =
      "within a page, a recording can only be installed in its own window; in a test that drives a browser, import holotape-webxr in Node";
    throw new TypeError(words);
  }
  return install(
    source instanceof Uint8Array || source instanceof ArrayBuffer ? source : await fetched(source),
    options,
  );
}

/** The last one wins. */
export function install(bytes: Uint8Array | ArrayBuffer, options: InstallOptions, name?: string): PageReplay {
  const recording = readRecording(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), name);
  const host = globalThis as Host;
  host[installed]?.uninstallNow();
  const replay = new PageReplay(recording, options);
  Object.defineProperty(host, installed, { value: replay, configurable: true, writable: true });
  return replay;
}

async function fetched(address: string | URL): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new Error(`${address}: the server says ${answer.status} ${answer.statusText}`);
  }
  return answer.arrayBuffer();
}
