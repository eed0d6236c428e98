/** Exported pages, opened from disk. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, holotape, test } from "./holotape";
import { isPlaying, time } from "./page";

test("an exported page plays from disk without network requests", async ({ folder, open, page }) => {
  const [file, exported] = [path.join(folder, "demo.bin"), path.join(folder, "page.html")];
  holotape("demo", file);
  holotape("view", file, "--export", exported);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await open(pathToFileURL(exported).href);
  await page.keyboard.press("Space");
  await expect.poll(() => time(page)).toBeGreaterThan(0.2);
  expect(await isPlaying(page)).toBe(true);
  expect(requests.filter((url) => !url.startsWith("data:") && !url.startsWith("blob:"))).toEqual([
    pathToFileURL(exported).href,
  ]);
});

test("holotape demo exports a page next to its recording", async ({ folder, open, page }) => {
  holotape("demo", path.join(folder, "first.bin"), "--seconds", "2");
  await open(pathToFileURL(path.join(folder, "first.html")).href);
  await expect(page).toHaveTitle(/first\.bin/);
});

test("an exported page holds several recordings and escapes their names", async ({ folder, open, page }) => {
  const names = ["a.bin", "<img src=x onerror=alert(1)>.bin"];
  for (const name of names) {
    holotape("demo", path.join(folder, name), "--seconds", "1");
  }
  const exported = path.join(folder, "both.html");
  holotape("view", ...names.map((name) => path.join(folder, name)), "--export", exported);
  expect(readFileSync(exported, "utf8")).not.toContain("<img src=x");
  await open(pathToFileURL(exported).href);
  const shown = await page.evaluate(() =>
    window.holotape.app.state.recordings.value.map((recording) => recording.info.name),
  );
  expect(shown).toEqual(names);
  await expect(page.locator("img")).toHaveCount(0);
});

test("an exported page cannot open files", async ({ folder, open, page }) => {
  holotape("demo", path.join(folder, "first.bin"), "--seconds", "1");
  await open(pathToFileURL(path.join(folder, "first.html")).href);
  const isHandled = await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["?"], "other.bin"));
    return !document.dispatchEvent(new DragEvent("dragover", { dataTransfer: transfer, cancelable: true }));
  });
  expect(isHandled, "otherwise the browser would open the file").toBe(true);
  await expect(page.getByText("An exported page cannot open files")).toBeVisible();
  await expect(page.getByText("Drop recordings")).toBeHidden();
});
