/** The recording's clock from outside, its end, and what is asked wrongly. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { installRecording, type RecordingEvent } from "holotape-webxr";
import { recordPress } from "../example/press";
import { EXAMPLE_PAGE, expect, test } from "./fixtures";
import { holotape } from "./holotape";
import { enter, logOf } from "./raw";
import { head, kinds, record } from "./record";

test("plays in real time, loops, ends, and tells of it in order", async ({ page, folder }) => {
  const take = await installRecording(page, recordPress(folder), { autoplay: true });
  const ended = new Promise((resolve) => take.on("end", resolve));
  const told: RecordingEvent[] = [];
  const telling = (async () => {
    for await (const event of take.events) {
      told.push(event);
    }
  })();
  await enter(page);
  await ended;
  expect(take.time).toBe(take.duration);
  const laps = new Promise<void>((resolve) => {
    let found = 0;
    take.on("handfound", () => ++found === 3 && resolve());
  });
  await take.play({ speed: 20, loop: true });
  await laps;
  await take.pause();
  const { frames } = await logOf(page);
  await take.uninstall();
  await telling;
  expect(told.slice(0, 6).map(({ type }) => type)).toEqual([
    "handfound",
    "marker",
    "pinchstart",
    "pinchend",
    "handlost",
    "end",
  ]);
  expect(told.filter(({ type }) => type === "end")).toHaveLength(1);
  expect(frames.every(({ timeMs }, n) => n === 0 || timeMs >= (frames[n - 1]?.timeMs ?? 0))).toBe(true);
});

test("a second session finds the hands that are there", async ({ page, folder }) => {
  const take = await installRecording(page, recordPress(folder), { rate: 10 });
  await enter(page);
  await take.step(5);
  await page.evaluate("session.end()");
  await page.click("#enter");
  await take.step();
  const { events, frames } = await logOf(page);
  expect(kinds(events)).toEqual(["added right", "added right"]);
  expect(frames).toHaveLength(6);
  expect(frames[5]?.sources[0]?.joints["index-finger-tip"]).not.toBeNull();
  // And none that went meanwhile.
  await page.evaluate("session.end()");
  await page.click("#enter");
  await take.seek(1.85);
  await take.step();
  expect((await logOf(page)).frames[6]?.sources).toEqual([]);
});

test("seeking back runs no frame and lets the page's time go on", async ({ page, folder }) => {
  const take = await installRecording(page, recordPress(folder), { rate: 10 });
  await enter(page);
  await take.step(10);
  await take.seek(0.5);
  expect(take.time).toBe(0.5);
  await take.step(2);
  expect(take.time).toBe(0.7);
  const { frames } = await logOf(page);
  expect(frames.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: 12 }, (_, n) => 100 * (n + 1)));
  expect(frames.every(({ frameRate }) => frameRate === 10)).toBe(true);
  const tip = (n: number) => frames[n]?.sources[0]?.joints["index-finger-tip"];
  expect(tip(10)).toEqual(tip(5));
});

test("after uninstalling, the browser is as it was", async ({ page, folder }) => {
  await page.goto(EXAMPLE_PAGE);
  const state = () => page.evaluate("[navigator.userAgent, String(navigator.xr), String(XRSession)]");
  const before = await state();
  const take = await installRecording(page, recordPress(folder), { device: "metaQuestPro" });
  await page.goto(EXAMPLE_PAGE);
  expect(String(await state())).toContain("Quest Pro");
  expect(await page.evaluate("[Object.keys(window).filter((name) => /iwer/i.test(name)), 'module' in window]")).toEqual(
    [[], false],
  );
  await page.click("#enter");
  await take.step(3);
  await take.uninstall();
  expect(await state()).toEqual(before);
  await page.goto(EXAMPLE_PAGE);
  expect(await state()).toEqual(before);
  await expect(take.step()).rejects.toThrow("the recording is not in this page");
});

test("what is asked wrongly is answered in words", async ({ page, folder }) => {
  const file = recordPress(folder);
  const csv = path.join(folder, "press.csv");
  // Without its marker, for which a table has no place.
  const unmarked = record(path.join(folder, "unmarked.bin"), 21, () => head);
  holotape(["convert", unmarked, csv]);
  await expect(installRecording(page, csv)).rejects.toThrow("`holotape convert press.csv take.bin`");
  await expect(installRecording(page, path.join(folder, "none.bin"))).rejects.toThrow("none.bin");
  await expect(installRecording({} as never, file)).rejects.toThrow("addInitScript");
  const bytes = readFileSync(file);
  await expect(installRecording(page, bytes, { rate: 0 })).rejects.toThrow("a rate of 0");
  await expect(installRecording(page, bytes, { device: "quest" as never })).rejects.toThrow("metaQuest3");
  await expect(installRecording(page, bytes, { origin: { x: Number.NaN } })).rejects.toThrow("origin.x");
  const take = await installRecording(page, new Uint8Array(bytes).buffer);
  await expect(take.step()).rejects.toThrow("install it before page.goto");
  await enter(page);
  await expect(take.step(0.5)).rejects.toThrow("a whole number");
  await expect(take.seek(Number.NaN)).rejects.toThrow("cannot seek to NaN");
  await expect(take.play({ speed: 0 })).rejects.toThrow("a speed of 0");
  await take.step();
});

test("a page without a session makes step say so", async ({ page, folder }) => {
  const take = await installRecording(page, recordPress(folder));
  await page.goto(EXAMPLE_PAGE);
  await expect(take.step()).rejects.toThrow("the page has no XR session");
});
