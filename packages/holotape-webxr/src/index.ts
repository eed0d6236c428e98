/**
 * Replays XR input recordings in WebXR pages: the entry point for Node, where tests drive browsers.
 *
 * ```ts
 * const replay = await installRecording(page, "press.bin");
 * await page.goto("http://localhost:5173");
 * await page.click("#enter-vr");
 * await replay.step(72);
 * ```
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { resolveOptions } from "./options";
import { download, MAX_FILE_BYTES, readRecording } from "./read";
import { decompress } from "./read/decompress";
import { RemoteReplay } from "./remote";
import type { InstallOptions, PageLike, RecordingController, RecordingSource, WindowLike } from "./types";

export { RecordingError } from "./read/error";
export type * from "./types";

/**
 * Replays a recording in every document that the page opens from now on.
 *
 * ```ts
 * const replay = await installRecording(page, "press.bin", { rate: 90 });
 * replay.on("pinchstart", ({ hand, time }) => console.log(hand, time));
 * ```
 */
export async function installRecording(
  target: PageLike | WindowLike,
  source: RecordingSource,
  options: InstallOptions = {},
): Promise<RecordingController> {
  if (!("addInitScript" in target)) {
    throw new TypeError("invalid target: in Node, pass a Playwright page, which has addInitScript");
  }
  const resolved = resolveOptions(options);
  const { bytes: file, name } = await bytesOf(source);
  const bytes = await decompress(file, MAX_FILE_BYTES);
  return RemoteReplay.install(target, readRecording(bytes, name), bytes, await scriptOf(), resolved);
}

async function bytesOf(source: RecordingSource): Promise<{ readonly bytes: Uint8Array; readonly name?: string }> {
  if (source instanceof Uint8Array) {
    return { bytes: source };
  }
  if (source instanceof ArrayBuffer) {
    return { bytes: new Uint8Array(source) };
  }
  const address = /^(https?|file):/.test(String(source)) ? new URL(source) : null;
  if (address === null || address.protocol === "file:") {
    const file = address === null ? String(source) : fileURLToPath(address);
    return { bytes: await readFile(file), name: path.basename(file) };
  }
  return { bytes: new Uint8Array(await download(address)), name: path.posix.basename(address.pathname) };
}

/** A script that runs before those of the page and defines no globals: `iwer` as published, and our part, which requires it. */
async function scriptOf(): Promise<(call: string) => string> {
  const iwer = path.join(
    path.dirname(createRequire(import.meta.url).resolve("iwer/package.json")),
    "build/iwer.min.js",
  );
  const [runtime, pageScript] = await Promise.all([
    readFile(iwer, "utf8"),
    readFile(new URL("page.js", import.meta.url), "utf8"),
  ]);
  return (call) => `(() => {
  if (window !== window.top) return;
  const iwer = (() => { const exports = {}, module = { exports }; ${runtime}
return exports; })();
  const page = (() => { const exports = {}, module = { exports }, require = () => iwer; ${pageScript}
return module.exports; })();
  page.start(${call});
})();`;
}
