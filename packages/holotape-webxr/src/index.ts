/**
 * Replays recordings of heads, hands and eyes into WebXR pages: the entry for Node, where tests drive browsers.
 *
 * ```ts
 * const take = await installRecording(page, "press.bin");
 * await page.goto("http://localhost:5173");
 * await page.click("#enter-vr");
 * await take.step(72);
 * ```
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { resolveOptions } from "./options";
import { readRecording } from "./read";
import { RemoteReplay } from "./remote";
import type { InstallOptions, PageLike, RecordingController, RecordingSource, WindowLike } from "./types";

export { RecordingError } from "./read/error";
export type * from "./types";

/**
 * Makes every document that a page opens from now on believe that the person of a recording is there.
 *
 * ```ts
 * const take = await installRecording(page, "press.bin", { rate: 90 });
 * take.on("pinchstart", ({ hand, time }) => console.log(hand, time));
 * ```
 */
export async function installRecording(
  target: PageLike | WindowLike,
  source: RecordingSource,
  options: InstallOptions = {},
): Promise<RecordingController> {
  if (!("addInitScript" in target)) {
    throw new TypeError("in Node, a recording is installed in a page of Playwright; this has no addInitScript");
  }
  const settledOptions = resolveOptions(options);
  const { bytes, name } = await bytesOf(source);
  return RemoteReplay.install(target, readRecording(bytes, name), bytes, await scriptOf(), settledOptions);
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
  const answer = await fetch(address);
  if (!answer.ok) {
    throw new Error(`${address}: the server says ${answer.status} ${answer.statusText}`);
  }
  return { bytes: new Uint8Array(await answer.arrayBuffer()), name: path.posix.basename(address.pathname) };
}

/** A script that runs before those of the page and leaves no name behind: `iwer` as it is published, and our part that asks for it. */
async function scriptOf(): Promise<(call: string) => string> {
  const iwer = path.join(
    path.dirname(createRequire(import.meta.url).resolve("iwer/package.json")),
    "build/iwer.min.js",
  );
  const [runtime, ours] = await Promise.all([
    readFile(iwer, "utf8"),
    readFile(new URL("page.js", import.meta.url), "utf8"),
  ]);
  return (call) => `(() => {
  if (window !== window.top) return;
  const iwer = (() => { const exports = {}, module = { exports }; ${runtime}
return exports; })();
  const page = (() => { const exports = {}, module = { exports }, require = () => iwer; ${ours}
return module.exports; })();
  page.start(${call});
})();`;
}
