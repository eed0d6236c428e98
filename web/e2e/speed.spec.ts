/** Measures the page with a long recording, for `cargo xtask bench viewer`. */

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, holotape, test } from "./holotape";

const SCRUB_MS = 5_000;

test("ten minutes @speed", async ({ folder, view, open, page }) => {
  const file = path.join(folder, "ten-minutes.bin");
  holotape("demo", file, "--seconds", "600", "--rate", "18.4");
  const viewing = await view(file);
  let received = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    received += encodedDataLength;
  });
  const started = performance.now();
  await open(viewing);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const loadMs = performance.now() - started;
  const framesPerSecond = await page.evaluate(scrub, SCRUB_MS);
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(`on screen after         ${(loadMs / 1000).toFixed(2)} s`);
  console.log(`scrubbing               ${framesPerSecond.toFixed(1)} frames per second`);
  console.log(`the recording           ${megabytes(statSync(file).size)} MB`);
  console.log(`sent to the page        ${megabytes(received)} MB`);
  console.log(`most memory of server   ${megabytes(peakMemory(viewing.process))} MB`);
  expect(received).toBeGreaterThan(0);
});

/** Scrubs through the recording. Returns the frames drawn per second. */
async function scrub(forMs: number): Promise<number> {
  const { app, scene } = window.holotape;
  const [from, to] = app.state.span.value;
  const [firstFrame, started] = [scene.framesDrawn, performance.now()];
  for (let now = started; now - started < forMs; now = performance.now()) {
    app.playback.seek(from + ((to - from) * (now - started)) / forMs);
    await new Promise((next) => requestAnimationFrame(next));
  }
  return ((scene.framesDrawn - firstFrame) / (performance.now() - started)) * 1000;
}

/** The peak memory of a process in bytes; Linux only. */
function peakMemory(process: number): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${process}/status`, "utf8"));
  return Number(peak?.[1] ?? 0) * 1024;
}
