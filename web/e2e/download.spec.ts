/** Downloads of the export panel contain what the command line writes. */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, holotape, test } from "./holotape";
import { seek } from "./page";

const RANGE = [0.5, 1.25] as const;

/** Clicks the button of a file format. Returns name and bytes of the download. */
async function download(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: new RegExp(`^Download .*\\.${format}$`) }).click();
  const file = await downloading;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** Returns the reported losses, for which the program has a separate exit code. */
function convert(from: string, to: string): string[] {
  try {
    holotape("convert", from, to);
    return [];
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer };
    expect(status).toBe(3);
    return [...stderr.toString().matchAll(/^lost: (.+)$/gm)].map(([, words]) => words ?? "");
  }
}

for (const range of [null, RANGE]) {
  test(`downloads contain ${range === null ? "the whole recording" : "the range"}`, async ({ folder, view, open }) => {
    const inFolder = (name: string) => path.join(folder, name);
    holotape("demo", inFolder("take.bin"), "--seconds", "2");
    const page = await open(await view(inFolder("take.bin")));
    await page.evaluate((range) => window.holotape.app.playback.setRange(range), range);
    await page.getByRole("tab", { name: /Export/ }).click();
    const part = range === null ? "take.bin" : "part.bin";
    if (range !== null) {
      holotape("trim", inFolder("take.bin"), inFolder(part), "--from", `${range[0]}`, "--to", `${range[1]}`);
    }
    for (const format of ["bin", "glb", "csv"]) {
      const expected = inFolder(`wanted.${format}`);
      const losses = convert(inFolder(part), expected);
      const { name, bytes } = await download(page, format);
      expect(name).toBe(range === null ? `take.${format}` : `take-0.50-1.25s.${format}`);
      expect(bytes.equals(readFileSync(expected)), `${format} is what the program writes`).toBe(true);
      for (const loss of losses) {
        await expect(page.getByText(loss)).toBeVisible();
      }
    }
  });
}

test("the image download shows the current view", async ({ view, open }) => {
  const page = await open(await view());
  await seek(page, 4);
  await page.getByRole("tab", { name: /Export/ }).click();
  const { name, bytes } = await download(page, "png");
  expect(name).toBe("demo-4.00s.png");
  const canvas = await page
    .locator("canvas")
    .first()
    .evaluate(({ width, height }: HTMLCanvasElement) => [width, height]);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(canvas);
  await page.keyboard.press("3");
  await seek(page, 4);
  const other = await download(page, "png");
  expect(other.bytes.equals(bytes), "another view gives another image").toBe(false);
});
