/** Measures the page with long recordings, for `cargo xtask bench viewer`. */

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { expect, holotape, test } from "./holotape";

const SCRUB_MS = 5_000;
const MAX_FIRST_PICTURE_MS = 2_000;
/** Minimum frames per second while an hour is scrubbed through. */
const MIN_FRAMES_PER_SECOND = 50;
/** Maximum memory of the page with all keys, as a multiple of the file. */
const MAX_MEMORY_RATIO = 2;
const MEMORY_POLL_MS = 25;

declare global {
  interface Window {
    /** Milliseconds from the navigation to the frame after an attribute of the page was set. */
    drawnMs: { shown?: number; ready?: number };
  }
}

interface Load {
  /** Until the first picture is drawn. */
  readonly shownMs: number;
  /** Until all keys are loaded and drawn. */
  readonly readyMs: number;
  /** The peak memory of the process that draws the page, without memory that it shares. */
  readonly peakBytes: number;
}

interface Figures {
  /** The memory of the page with all keys, as a multiple of the file. */
  readonly memoryRatio: number;
  /** While the recording is scrubbed through. */
  readonly framesPerSecond: number;
}

test("ten minutes @speed", async ({ folder, view, open, page }) => {
  const file = path.join(folder, "ten-minutes.bin");
  holotape("demo", file, "--no-page", "--seconds", "600", "--rate", "18.4");
  const viewing = await view(file);
  let received = 0;
  page.on("requestfinished", async (request) => {
    received += (await request.sizes()).responseBodySize;
  });
  const load = await measureLoad(page, () => open(viewing));
  await print("ten minutes from the server", page, file, load);
  console.log(`sent to the page        ${megabytes(received)}`);
  console.log(`most memory of server   ${megabytes(peakMemory(viewing.process))}`);
  expect(received).toBeGreaterThan(0);
});

test("an hour from the server @speed", async ({ folder, view, open, page }) => {
  const file = writeReduced(folder, 60);
  const viewing = await view(file);
  const load = await measureLoad(page, () => open(viewing));
  const figures = await print("an hour from the server", page, file, load);
  console.log(`most memory of server   ${megabytes(peakMemory(viewing.process))}`);
  expectLimits(load, figures);
});

for (const minutes of [1, 10, 60]) {
  test(`${minutes} minutes in an exported page @speed`, async ({ folder, open, page }) => {
    const file = writeReduced(folder, minutes);
    const exported = path.join(folder, "exported.html");
    holotape("view", file, "--export", exported);
    const load = await measureLoad(page, () => open(pathToFileURL(exported).href));
    const figures = await print(`${minutes} minutes in an exported page`, page, file, load);
    console.log(`the exported page       ${megabytes(statSync(exported).size)}`);
    if (minutes === 60) {
      expectLimits(load, figures);
    }
  });
}

/** Writes a recording with the keys that a device keeps. */
function writeReduced(folder: string, minutes: number): string {
  const [raw, file] = ["raw.bin", "reduced.bin"].map((name) => path.join(folder, name)) as [string, string];
  holotape("demo", raw, "--no-page", "--seconds", String(60 * minutes));
  holotape("optimize", raw, file);
  return file;
}

/** The limits of an hour. */
function expectLimits(load: Load, { memoryRatio, framesPerSecond }: Figures): void {
  expect(load.shownMs).toBeLessThan(MAX_FIRST_PICTURE_MS);
  expect(memoryRatio).toBeLessThan(MAX_MEMORY_RATIO);
  expect(framesPerSecond).toBeGreaterThan(MIN_FRAMES_PER_SECOND);
}

/** Opens a page and measures how long it takes. */
async function measureLoad(page: Page, open: () => Promise<Page>): Promise<Load> {
  await page.addInitScript(() => {
    window.drawnMs = {};
    const names = ["shown", "ready"] as const;
    new MutationObserver(() => {
      const set = names.filter((name) => name in document.documentElement.dataset && !(name in window.drawnMs));
      const now = () => {
        window.drawnMs = { ...window.drawnMs, ...Object.fromEntries(set.map((name) => [name, performance.now()])) };
      };
      requestAnimationFrame(() => requestAnimationFrame(now));
    }).observe(document, { subtree: true, attributeFilter: ["data-shown", "data-ready"] });
  });
  let peakBytes = 0;
  let isLoading = true;
  const poll = async () => {
    while (isLoading) {
      peakBytes = Math.max(peakBytes, await processMemory(page));
      await new Promise((resolve) => setTimeout(resolve, MEMORY_POLL_MS));
    }
  };
  const polling = poll();
  await open();
  await page.waitForFunction(() => window.drawnMs.ready !== undefined);
  isLoading = false;
  await polling;
  const { shown = Number.NaN, ready = Number.NaN } = await page.evaluate(() => window.drawnMs);
  return { shownMs: shown, readyMs: ready, peakBytes };
}

/** Scrubs and prints all figures. */
async function print(title: string, page: Page, file: string, load: Load): Promise<Figures> {
  const framesPerSecond = await page.evaluate(scrub, SCRUB_MS);
  const fileBytes = statSync(file).size;
  const [heapBytes, processBytes] = [await heapMemory(page), await processMemory(page)];
  const ratio = (bytes: number) => `${megabytes(bytes)}, ${(bytes / fileBytes).toFixed(2)} of the recording`;
  console.log(`\n${title}`);
  console.log(`the recording           ${megabytes(fileBytes)}`);
  console.log(`first picture after     ${(load.shownMs / 1000).toFixed(2)} s`);
  console.log(`all keys after          ${(load.readyMs / 1000).toFixed(2)} s`);
  console.log(`scrubbing               ${framesPerSecond.toFixed(1)} frames per second`);
  console.log(`memory of the page      ${ratio(heapBytes)}`);
  console.log(`memory of its process   ${ratio(processBytes)}; while loading ${ratio(load.peakBytes)}`);
  return { memoryRatio: heapBytes / fileBytes, framesPerSecond };
}

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

/** The memory of scripts, arrays and DOM that is in use, in bytes. */
async function heapMemory(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const usage = (await session.send("Runtime.getHeapUsage")) as Awaited<
    ReturnType<typeof session.send<"Runtime.getHeapUsage">>
  > & { readonly embedderHeapUsedSize?: number; readonly backingStorageSize?: number };
  await session.detach();
  return usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0);
}

/** The private memory of the largest process that draws pages, in bytes; Linux only. */
async function processMemory(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send("SystemInfo.getProcessInfo")) ?? {};
  await session?.detach();
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(0, ...renderers.map(({ id }) => privateMemory(id)));
}

function privateMemory(process: number): number {
  try {
    const rollup = readFileSync(`/proc/${process}/smaps_rollup`, "utf8");
    const sizes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, kilobytes]) => Number(kilobytes));
    return 1024 * sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    // The process has ended.
    return 0;
  }
}

/** The peak memory of a process in bytes; Linux only. */
function peakMemory(process: number): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${process}/status`, "utf8"));
  return Number(peak?.[1] ?? 0) * 1024;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
