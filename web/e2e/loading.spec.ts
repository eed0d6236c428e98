/** The progress of loading, and recordings that fail to load. */

import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { expect, holotape, preparePage, test } from "./holotape";
import { holdResponses, names } from "./page";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor({ state: "attached" });

test("the page shows the progress until a recording is loaded", async ({ page, view }) => {
  const { address } = await view();
  const release = await holdResponses(page, "**/curves?*");
  await preparePage(page);
  await page.goto(address);
  await expect(page.getByRole("progressbar", { name: "Loading demo.bin …" })).toBeVisible();
  await expect(page.getByText("Drop a recording here")).toBeHidden();
  release();
  await ready(page);
  await expect(page.getByRole("progressbar")).toBeHidden();
  expect(await names(page)).toEqual(["demo.bin"]);
});

test("the progress follows the size that the server reports", async ({ page, view }) => {
  await page.addInitScript(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const value = document.querySelector("progress")?.getAttribute("value");
      seen.push(...(value === null || value === undefined ? [] : [Number(value)]));
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const { address } = await view();
  await preparePage(page);
  await page.goto(address);
  await ready(page);
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(Math.max(...seen)).toBeGreaterThanOrEqual(0.5);
});

test("a recording that fails to load can be retried and dismissed", async ({ page, folder, view }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file, "--seconds", "1");
  }
  let isReachable = false;
  let failedCount = 0;
  await page.route("**/curves?*", (route) => {
    failedCount += isReachable ? 0 : 1;
    return isReachable ? route.continue() : route.abort();
  });
  const { address } = await view(...files);
  await preparePage(page);
  await page.goto(address);
  await ready(page);
  const [first, second] = [page.getByRole("alert").first(), page.getByRole("alert").last()];
  await expect(first).toContainText("a.bin: server not reachable");
  await expect(second).toContainText("b.bin: server not reachable");
  await expect(page.getByText("Drop a recording here")).toBeHidden();
  await second.getByRole("button", { name: "Dismiss" }).click();
  await first.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => failedCount).toBe(3);
  isReachable = true;
  await first.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => names(page)).toEqual(["a.bin"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a page without its server offers to retry", async ({ page, view }) => {
  const { address } = await view();
  let isReachable = false;
  await page.route("**/api/state", (route) => (isReachable ? route.continue() : route.abort()));
  await preparePage(page);
  await page.goto(address);
  await expect(page.getByRole("alert")).toContainText("server not reachable");
  isReachable = true;
  await page.getByRole("button", { name: "Retry" }).click();
  await ready(page);
  expect(await names(page)).toEqual(["demo.bin"]);
});

test("an exported page shows the progress until its recording is decoded", async ({ page, folder }) => {
  holotape("demo", path.join(folder, "take.bin"), "--seconds", "2");
  await page.addInitScript(() => {
    const held = new Promise<void>((resolve) => Object.assign(window, { release: resolve }));
    const { pipeThrough } = ReadableStream.prototype;
    ReadableStream.prototype.pipeThrough = function <T>(transform: ReadableWritablePair<T>): ReadableStream<T> {
      const gate = new TransformStream({ flush: () => held });
      return pipeThrough.call(pipeThrough.call(this, gate), transform) as ReadableStream<T>;
    };
  });
  await page.goto(pathToFileURL(path.join(folder, "take.html")).href);
  await expect(page.getByRole("progressbar", { name: "Loading take.bin …" })).toBeVisible();
  await expect(page.getByText("This page contains no recording")).toBeHidden();
  await page.evaluate(() => (window as unknown as { release: () => void }).release());
  await ready(page);
  await expect(page.getByRole("progressbar")).toBeHidden();
  expect(await names(page)).toEqual(["take.bin"]);
});
