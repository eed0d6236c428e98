/** Files dropped on the page, valid and invalid. */

import { rmSync } from "node:fs";
import path from "node:path";
import { expect, holotape, ROOT, test } from "./holotape";
import { drop, isPlaying, names } from "./page";

test("a dropped file opens as another recording", async ({ folder, view, open }) => {
  const file = path.join(folder, "second.bin");
  holotape("demo", file, "--seed", "2", "--seconds", "2");
  const page = await open(await view());
  await drop(page, file);
  await expect.poll(() => names(page)).toEqual(["demo.bin", "second.bin"]);
});

test("a new recording gets the first unused colour", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin", "c.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file, "--seconds", "1");
  }
  const page = await open(await view());
  const colorIndexes = () =>
    page.evaluate(() => window.holotape.app.state.recordings.value.map((recording) => recording.colorIndex));
  await drop(page, ...files);
  await expect.poll(colorIndexes).toEqual([0, 1, 2, 3]);
  for (const name of ["a.bin", "b.bin"]) {
    await page.getByRole("button", { name: `Close ${name}` }).click();
  }
  await expect.poll(colorIndexes).toEqual([0, 3]);
  await drop(page, ...files.slice(0, 2));
  await expect.poll(colorIndexes).toEqual([0, 3, 1, 2]);
});

test("a dropped file of another format is converted", async ({ folder, view, open }) => {
  const file = path.join(folder, "take.parquet");
  holotape("demo", path.join(folder, "take.bin"), "--seconds", "1");
  holotape("convert", path.join(folder, "take.bin"), file);
  const page = await open(await view());
  await drop(page, file);
  await expect.poll(() => names(page)).toEqual(["demo.bin", "take.parquet"]);
});

test("a damaged file is reported and the page keeps working", async ({ view, open }) => {
  const page = await open(await view());
  await drop(page, path.join(ROOT, "testdata/invalid/truncated_in_curve.bin"));
  await expect(page.getByRole("alert")).toContainText("truncated_in_curve.bin");
  expect(await names(page)).toEqual(["demo.bin"]);
  await page.keyboard.press("Space");
  await expect.poll(() => isPlaying(page)).toBe(true);
});

test("a deleted file is not reported as a missing server", async ({ folder, view, open }) => {
  const file = path.join(folder, "gone.bin");
  holotape("demo", file, "--seconds", "1");
  const page = await open(await view());
  await page.evaluate(() => {
    const field = document.createElement("input");
    field.type = "file";
    document.body.append(field);
  });
  const field = page.locator("body > input[type=file]");
  await field.setInputFiles(file);
  rmSync(file);
  await field.evaluate((field: HTMLInputElement) => window.holotape.app.open(field.files ?? []));
  await expect(page.getByRole("alert")).toContainText("gone.bin: file cannot be read");
});

test("a recording that fails to load is reported and the others are shown", async ({ folder, page, view, open }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file, "--seconds", "1");
  }
  let isFirst = true;
  await page.route("**/curves?*", (route) => {
    const answer = isFirst
      ? route.fulfill({ status: 410, json: { message: "the recording has changed" } })
      : route.continue();
    isFirst = false;
    return answer;
  });
  await open(await view(...files));
  await expect(page.getByRole("alert")).toContainText("a.bin: the recording has changed");
  expect(await names(page)).toEqual(["b.bin"]);
});
