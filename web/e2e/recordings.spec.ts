/** The recordings panel. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, holotape, test } from "./holotape";
import { drop, markers, names } from "./page";

const MARKER = { op: "add-marker", time: 0.5, name: "seen" } as const;

async function change(page: Page): Promise<void> {
  await page.evaluate(async (edit) => {
    const { app } = window.holotape;
    const recording = app.state.active.value;
    await (recording && app.edit(recording, edit));
  }, MARKER);
}

test("closing a recording keeps the others", async ({ folder, view, open }) => {
  const [first, second] = ["first.bin", "second.bin"].map((name) => path.join(folder, name)) as [string, string];
  holotape("demo", first, "--seconds", "1");
  holotape("demo", second, "--seconds", "2", "--seed", "2");
  const page = await open(await view(first));
  await drop(page, second);
  await expect.poll(() => names(page)).toEqual(["first.bin", "second.bin"]);
  const span = () => page.evaluate(() => window.holotape.app.state.span.value[1]);
  expect(await span()).toBeCloseTo(2, 5);
  await expect(
    page.getByRole("button", { name: "Close first.bin" }),
    "files passed on the command line stay open",
  ).toHaveCount(0);
  await page.getByRole("button", { name: "Close second.bin" }).click();
  await expect.poll(() => names(page)).toEqual(["first.bin"]);
  expect(await span()).toBeCloseTo(1, 5);
  expect(await page.evaluate(() => window.holotape.app.state.active.value?.info.name)).toBe("first.bin");
});

test("files can be opened from the bar and from the panel", async ({ folder, view, open }) => {
  const file = path.join(folder, "chosen.bin");
  holotape("demo", file, "--seconds", "1");
  const page = await open(await view());
  for (const button of ["Open recordings", "Open recordings…"]) {
    const fileChooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: button, exact: true }).click();
    await (await fileChooser).setFiles(file);
  }
  await expect.poll(() => names(page)).toEqual(["demo.bin", "chosen.bin", "chosen.bin"]);
});

test("closing a recording with unsaved changes asks first", async ({ folder, view, open }) => {
  const file = path.join(folder, "other.bin");
  holotape("demo", file, "--seconds", "1");
  const page = await open(await view("--edit"));
  await drop(page, file);
  await expect.poll(() => names(page)).toEqual(["demo.bin", "other.bin"]);
  await change(page);
  const close = page.getByRole("button", { name: "Close other.bin" });
  await close.click();
  await expect(page.getByRole("alert")).toContainText("unsaved changes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert"), "a second Enter cancels").toHaveCount(0);
  await expect(close).toBeFocused();
  expect(await markers(page)).toContainEqual({ time: MARKER.time, name: MARKER.name });
  await close.click();
  await page.getByRole("button", { name: "Close without saving" }).click();
  await expect.poll(() => names(page)).toEqual(["demo.bin"]);
});

test("closing a preview ends the comparison", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  const isCompared = () => page.evaluate(() => window.holotape.app.state.difference.value);
  await page.getByRole("tab", { name: /Edit/ }).click();
  await page.getByRole("button", { name: "Preview repair" }).click();
  await expect(page.getByRole("region", { name: "Preview" })).toBeVisible();
  expect(await isCompared()).toBe(true);
  await page.getByRole("tab", { name: /Recordings/ }).click();
  await page.getByRole("button", { name: /^Discard/ }).click();
  await expect.poll(async () => (await names(page)).length).toBe(1);
  await expect.poll(isCompared).toBe(false);
});

test("a recording of zero length shows no tracked percentage", async ({ folder, view, open }) => {
  const file = path.join(folder, "instant.bin");
  holotape("demo", file, "--seconds", "0");
  const page = await open(await view(file));
  await expect(page.getByRole("row", { name: /Tracked/ }).getByRole("cell")).toHaveText(["–", "–"]);
});

test("figures include spans that are too many to draw", async ({ folder, view, open }) => {
  const [file, json] = [path.join(folder, "short.bin"), path.join(folder, "blinks.json")];
  holotape("demo", file, "--seconds", "1");
  holotape("convert", file, json);
  const document = JSON.parse(readFileSync(json, "utf8"));
  const keys = Array.from({ length: 50_001 }, (_, n) => [n / 64, n % 2]);
  document.curves["left.tracked"].keys = keys;
  document.curves["left.pinching"].keys = keys;
  writeFileSync(json, JSON.stringify(document));
  const page = await open(await view(json));
  const left = (name: RegExp) => page.getByRole("row", { name }).getByRole("cell").first();
  await expect(left(/Tracked/)).toHaveText("50 %");
  await expect(left(/Tracking lost/)).toHaveText("24,999 times");
  await expect(left(/Pinches/)).toHaveText("25,000");
});
