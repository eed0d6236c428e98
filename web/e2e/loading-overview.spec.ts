/** Long recordings: an overview is shown until all keys are loaded. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { decodeCurvePack, type RecordingCurves } from "../src/recording/decode";
import { expect, holotape, preparePage, sample, test, urlOf } from "./holotape";
import { drop, holdResponses, markers, names, seek, time } from "./page";

const ALL_KEYS = "**/curves?*";
const SECONDS = 70;

let shared = "";

/** All tests use the same recording of 1.2 million keys, enough for an overview. */
test.beforeAll(() => {
  shared = mkdtempSync(path.join(tmpdir(), "holotape-"));
  holotape("demo", path.join(shared, "long.bin"), "--no-page", "--seconds", `${SECONDS}`);
});

test.afterAll(() => rmSync(shared, { recursive: true }));

function longRecording(folder: string): string {
  const file = path.join(folder, "long.bin");
  copyFileSync(path.join(shared, "long.bin"), file);
  return file;
}

const shown = (page: Page) => page.locator("html[data-shown]").waitFor({ state: "attached" });
const ready = (page: Page) => page.locator("html[data-ready]").waitFor({ state: "attached" });

interface KeyCounts {
  readonly hasAllKeys: boolean;
  /** The number of keys that the page has, and that of the recording. */
  readonly loaded: number;
  readonly total: number;
}

function keyCounts(page: Page): Promise<KeyCounts[]> {
  return page.evaluate(() =>
    window.holotape.app.state.recordings.value.map(({ hasAllKeys, curves, info }) => {
      const loaded = curves.curves.reduce((sum, { times }) => sum + times.length, 0);
      return { hasAllKeys, loaded, total: info.key_count };
    }),
  );
}

async function expectOverview(page: Page): Promise<void> {
  const [first] = await keyCounts(page);
  expect(first?.hasAllKeys).toBe(false);
  expect(first?.loaded).toBeLessThan(0.9 * (first?.total ?? 0));
}

async function expectAllKeys(page: Page): Promise<void> {
  for (const { hasAllKeys, loaded, total } of await keyCounts(page)) {
    expect([hasAllKeys, loaded]).toEqual([true, total]);
  }
}

/** Collects errors of the page, which would otherwise be missed. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

/** A checksum of every array, and which arrays are shared. Runs in the page and in the tests. */
function fingerprint(
  { channels, curves, byName }: RecordingCurves = window.holotape.app.state.recordings.value[0]
    ?.curves as RecordingCurves,
): unknown {
  const checksum = (array: Float32Array | Int32Array) => {
    const words = new Uint32Array(array.buffer, array.byteOffset, array.length);
    return words.reduce((hash, word) => Math.imul(hash ^ word, 16777619) >>> 0, 2166136261);
  };
  const times = [...new Set(curves.map((curve) => curve.times))];
  return {
    channels,
    times: times.map(checksum),
    curves: curves.map((curve) => ({
      ...{ name: curve.name, kind: curve.kind, preWrap: curve.preWrap, postWrap: curve.postWrap },
      times: times.indexOf(curve.times),
      values: checksum(curve.values),
      bezier: Object.values(curve.bezier ?? {}).map(checksum),
      isByName: byName.get(curve.name) === curve,
    })),
  };
}

test("an overview is shown and usable until all keys are loaded", async ({ page, folder, view }) => {
  const file = longRecording(folder);
  const { address } = await view(file);
  const release = await holdResponses(page, ALL_KEYS);
  const errors = errorsOf(page);
  await preparePage(page);
  await page.goto(address);
  await shown(page);
  await expect(page.getByRole("progressbar", { name: "Loading all keys of long.bin …" })).toBeVisible();
  await expect(page.locator("html[data-ready]")).toHaveCount(0);
  await expect(page.getByText("(overview shown)")).toBeVisible();
  await expectOverview(page);

  await seek(page, SECONDS - 1);
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) {
    await page.keyboard.press(key);
  }
  expect(await time(page)).toBeGreaterThan(SECONDS - 1);
  await page.evaluate(() => window.holotape.app.view.showCurves(["left.IndexTip.position.x", "right.pinching"], true));
  await expect(page.getByText(/overview, [\d,]+ keys/).first()).toBeVisible();
  await page.evaluate(() => window.holotape.app.view.openPanel("curves"));
  await expect(page.locator(".key-count")).toHaveCount(0);

  release();
  await ready(page);
  await expect(page.getByRole("progressbar")).toBeHidden();
  await expect(page.getByText(/linear, [\d,]+ keys/).first()).toBeVisible();
  await expect(page.locator(".key-count").first()).toBeVisible();
  await expectAllKeys(page);
  await seek(page, SECONDS - 1.234);
  const [frame] = sample<{ camera: { position: number[] } }>(file, "--at", `${SECONDS - 1.234}`);
  const drawn = await page.evaluate(() => window.holotape.scene.drawn(1, "camera"));
  drawn?.forEach((metres, n) => {
    expect(metres).toBeCloseTo(frame?.camera.position[n] ?? Number.NaN, 4);
  });
  expect(errors).toEqual([]);
});

test("a short recording has no overview", async ({ page, folder, view, open }) => {
  const file = path.join(folder, "short.bin");
  holotape("demo", file, "--no-page", "--seconds", "2");
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  let workerCount = 0;
  page.on("worker", () => {
    workerCount += 1;
  });
  await open(await view(file));
  await expectAllKeys(page);
  expect(paths).toContain("/api/recordings/1/curves");
  expect([paths.filter((path) => path.endsWith("/overview")), workerCount]).toEqual([[], 0]);
});

test("the worker and the main thread decode the same curves", async ({ folder, view, browser }) => {
  const { address } = await view(longRecording(folder));
  const response = await fetch(urlOf(address, "/api/recordings/1/curves"));
  const expected = fingerprint(await decodeCurvePack(response.body as ReadableStream<Uint8Array<ArrayBuffer>>));
  const withoutWorkers = () => {
    Object.assign(window, { Worker: undefined });
  };
  const withFailingWorkers = () => {
    class FailingWorker extends EventTarget {
      postMessage(): void {
        this.dispatchEvent(new Event("error"));
      }
      terminate(): void {}
    }
    Object.assign(window, { Worker: FailingWorker });
  };
  for (const [prepare, expectedWorkers] of [
    [() => {}, 1],
    [withoutWorkers, 0],
    [withFailingWorkers, 0],
  ] as const) {
    const page = await browser.newPage();
    let workerCount = 0;
    page.on("worker", () => {
      workerCount += 1;
    });
    await page.addInitScript(prepare);
    await preparePage(page);
    await page.goto(address);
    await ready(page);
    expect(workerCount).toBe(expectedWorkers);
    expect(await page.evaluate(fingerprint, undefined)).toEqual(expected);
    await page.close();
  }
});

test("if all keys fail to load, the overview stays", async ({ page, folder, view }) => {
  const { address } = await view(longRecording(folder));
  let isReachable = false;
  let failedCount = 0;
  await page.route(ALL_KEYS, (route) => {
    failedCount += isReachable ? 0 : 1;
    return isReachable ? route.continue() : route.abort();
  });
  const errors = errorsOf(page);
  await preparePage(page);
  await page.goto(address);
  await ready(page);
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("long.bin: server not reachable");
  await expect(alert).toContainText("The page shows an overview with fewer keys.");
  await expectOverview(page);

  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => failedCount).toBe(2);
  await expect(alert).toContainText("long.bin: server not reachable");
  await alert.getByRole("button", { name: "Dismiss" }).click();
  await expect(alert).toHaveCount(0);
  expect(await names(page)).toEqual(["long.bin"]);
  await expect(page.getByText("(overview shown)")).toBeVisible();

  await page.reload();
  isReachable = false;
  await expect(alert).toContainText("server not reachable");
  isReachable = true;
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.poll(async () => (await keyCounts(page))[0]?.hasAllKeys).toBe(true);
  await expectAllKeys(page);
  await expect(alert).toHaveCount(0);
  expect(await names(page)).toEqual(["long.bin"]);
  expect(errors).toEqual([]);
});

test("a recording can be closed while its keys are loaded", async ({ page, folder, view, open }) => {
  await open(await view("--edit"));
  const release = await holdResponses(page, ALL_KEYS);
  await drop(page, longRecording(folder));
  await expect.poll(() => names(page)).toEqual(["demo.bin", "long.bin"]);
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("button", { name: "Close long.bin" }).click();
  await expect.poll(() => names(page)).toEqual(["demo.bin"]);
  await expect(page.getByRole("progressbar")).toBeHidden();
  release();
  await seek(page, 1);
  expect(await names(page)).toEqual(["demo.bin"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("edits while keys are loaded are kept", async ({ page, folder, view }) => {
  const { address } = await view("--edit", longRecording(folder));
  const releaseKeys = await holdResponses(page, ALL_KEYS);
  const errors = errorsOf(page);
  await preparePage(page);
  await page.goto(address);
  await shown(page);
  const countBefore = (await markers(page)).length;
  const releaseEdit = await holdResponses(page, "**/edit");
  const marked = page.evaluate(() => window.holotape.app.addMarker(1, "during the load"));
  releaseKeys();
  await ready(page);
  releaseEdit();
  await marked;
  expect(await markers(page)).toHaveLength(countBefore + 1);
  await expectAllKeys(page);
  expect(errors).toEqual([]);
});

test("a trim while keys are loaded loads the keys that remain", async ({ page, folder, view }) => {
  const { address } = await view("--edit", longRecording(folder));
  const release = await holdResponses(page, ALL_KEYS);
  const errors = errorsOf(page);
  await preparePage(page);
  await page.goto(address);
  await shown(page);
  const trimTo = (to: number) =>
    page.evaluate(async (to) => {
      const { app } = window.holotape;
      const recording = app.state.active.value;
      await (recording && app.edit(recording, { op: "trim", from: 0, to }));
      return app.state.active.value?.info.duration_secs;
    }, to);
  expect(await trimTo(SECONDS - 2)).toBeCloseTo(SECONDS - 2, 1);
  await expectOverview(page);
  await expect(page.getByRole("progressbar", { name: "Loading all keys of long.bin …" })).toBeVisible();
  await expect(page.locator("html[data-ready]")).toHaveCount(0);
  release();
  await ready(page);
  await expectAllKeys(page);
  // Short enough to be loaded at once.
  expect(await trimTo(3)).toBeCloseTo(3, 1);
  await expectAllKeys(page);
  await page.evaluate(async () => window.holotape.app.stepHistory("undo"));
  await expect.poll(async () => (await keyCounts(page))[0]?.total).toBeGreaterThan(1e6);
  await expect.poll(async () => (await keyCounts(page))[0]?.hasAllKeys).toBe(true);
  await expectAllKeys(page);
  await expect(page.getByRole("progressbar")).toBeHidden();
  expect(errors).toEqual([]);
});

test("an overview can be compared with another recording", async ({ page, folder, view }) => {
  const short = path.join(folder, "short.bin");
  holotape("demo", short, "--no-page", "--seconds", "2");
  const { address } = await view(longRecording(folder), short);
  const release = await holdResponses(page, "**/recordings/1/curves?*");
  const errors = errorsOf(page);
  await preparePage(page);
  await page.goto(address);
  await shown(page);
  expect(await names(page)).toEqual(["long.bin", "short.bin"]);
  await page.evaluate(() => window.holotape.app.view.setDifference(true));
  await expect(page.locator(".lane-label", { hasText: "Difference" })).toHaveAttribute("aria-busy", "false");
  await seek(page, 1);
  release();
  await ready(page);
  await expectAllKeys(page);
  await expect(page.locator(".lane-label", { hasText: "Difference" })).toHaveAttribute("aria-busy", "false");
  await seek(page, 1.5);
  expect(errors).toEqual([]);
});

/** Serves the parts of a page one after the other: `next` sends another one. */
async function serveInParts(parts: readonly string[]) {
  const pending = [...parts];
  let response: ServerResponse | null = null;
  const next = () => {
    response?.write(pending.shift() ?? "");
    if (pending.length === 0) {
      response?.end();
    }
  };
  const server = createServer((request, created) => {
    if (request.url === "/page.html") {
      created.setHeader("content-type", "text/html; charset=utf-8");
      response = created;
      next();
    } else {
      created.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page.html`, next, server };
}

/** An exported page, split in the middle of the data after the script. */
function exportedParts(folder: string): [string, string] {
  const exported = path.join(folder, "page.html");
  holotape("view", longRecording(folder), "--export", exported);
  const html = readFileSync(exported, "utf8");
  const dataStart = html.lastIndexOf('<div id="holotape-curves-1"');
  const middle = Math.round((dataStart + html.length) / 2);
  return [html.slice(0, middle), html.slice(middle)];
}

test("an exported page shows the overview before the browser has read all keys", async ({ page, folder }) => {
  const parts = exportedParts(folder);
  const { address, next, server } = await serveInParts(parts);
  const errors = errorsOf(page);
  await page.goto(address, { waitUntil: "commit" });
  await shown(page);
  await expect(page.getByRole("progressbar", { name: "Loading all keys of long.bin …" })).toBeVisible();
  await expectOverview(page);
  await seek(page, SECONDS - 1);
  next();
  await ready(page);
  await expectAllKeys(page);
  await expect(page.getByRole("progressbar")).toBeHidden();
  // Their text would need as much memory as the keys.
  await expect(page.locator('script[type="application/octet-stream"]')).toHaveCount(0);
  expect(errors).toEqual([]);
  server.close();
});

test("an exported page that is incomplete shows its overview and an error", async ({ page, folder }) => {
  const [start] = exportedParts(folder);
  const { address, server } = await serveInParts([start]);
  await page.goto(address);
  await ready(page);
  await expect(page.getByRole("alert")).toContainText("The page shows an overview with fewer keys.");
  await expectOverview(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("alert")).toContainText("long.bin: ");
  expect(await names(page)).toEqual(["long.bin"]);
  server.close();
});

test("an exported page loads all keys in a worker from disk", async ({ page, folder, open }) => {
  const exported = path.join(folder, "page.html");
  holotape("view", longRecording(folder), "--export", exported);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  let workerCount = 0;
  page.on("worker", () => {
    workerCount += 1;
  });
  await open(pathToFileURL(exported).href);
  await expectAllKeys(page);
  expect(workerCount).toBe(1);
  expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([pathToFileURL(exported).href]);
});
