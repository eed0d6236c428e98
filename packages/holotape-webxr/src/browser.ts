/**
 * Replays XR input recordings in WebXR pages: the entry point for pages, including tests in Vitest's browser mode.
 *
 * ```ts
 * const replay = await installRecording(window, await (await fetch("press.bin")).arrayBuffer());
 * await replay.step(72);
 * ```
 */

import { PageReplay } from "./device/replay";
import { download, MAX_FILE_BYTES, readRecording } from "./read";
import { decompress, isCompressed } from "./read/decompress";
import type { InstallOptions, PageLike, RecordingController, RecordingSource, WindowLike } from "./types";

export { RecordingError } from "./read/error";
export type * from "./types";

const installed = Symbol.for("holotape-webxr");

/** Installs synchronously if `source` is bytes that are not compressed: the next statement of the page sees the recording's `navigator.xr`. */
export async function installRecording(
  target: WindowLike | PageLike,
  source: RecordingSource,
  options: InstallOptions = {},
): Promise<RecordingController> {
  if ((target as unknown) !== globalThis) {
    const message = "invalid target: in a page, pass its own window; to drive a browser, import holotape-webxr in Node";
    throw new TypeError(message);
  }
  const file = source instanceof Uint8Array || source instanceof ArrayBuffer ? source : await download(source);
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  return install(isCompressed(bytes) ? await decompress(bytes, MAX_FILE_BYTES) : bytes, options);
}

/** Replaces a recording that was installed before. */
export function install(bytes: Uint8Array | ArrayBuffer, options: InstallOptions, name?: string): PageReplay {
  const recording = readRecording(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), name);
  const host = globalThis as { [installed]?: PageReplay };
  host[installed]?.uninstallNow();
  const replay = new PageReplay(recording, options);
  Object.defineProperty(host, installed, { value: replay, configurable: true, writable: true });
  return replay;
}
