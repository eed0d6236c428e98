/** Controlling the replay: play, pause, seek, its end, and invalid arguments. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { installRecording, type RecordingEvent } from "holotape-webxr";
import { recordPress } from "../example/press";
import { EXAMPLE_PAGE, expect, test } from "./fixtures";
import { holotape } from "./holotape";
import { enter, logOf } from "./raw";
import { head, kinds, record } from "./record";

test("playback runs in real time, loops, ends, and reports events in order", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder), { autoplay: true });
  const ended = new Promise((resolve) => replay.on("end", resolve));
  const reported: RecordingEvent[] = [];
  const telling = (async () => {
    for await (const event of replay.events) {
      reported.push(event);
    }
  })();
  await enter(page);
  await ended;
  expect(replay.time).toBe(replay.duration);
  const laps = new Promise<void>((resolve) => {
    let found = 0;
    replay.on("handfound", () => ++found === 3 && resolve());
  });
  await replay.play({ speed: 20, loop: true });
  await laps;
  await replay.pause();
  const { frames } = await logOf(page);
  await replay.uninstall();
  await telling;
  expect(reported.slice(0, 6).map(({ type }) => type)).toEqual([
    "handfound",
    "marker",
    "pinchstart",
    "pinchend",
    "handlost",
    "end",
  ]);
  expect(reported.filter(({ type }) => type === "end")).toHaveLength(1);
  expect(frames.every(({ timeMs }, n) => n === 0 || timeMs >= (frames[n - 1]?.timeMs ?? 0))).toBe(true);
});

test("a second session receives the tracked hands", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder), { rate: 10 });
  await enter(page);
  await replay.step(5);
  await page.evaluate("session.end()");
  await page.click("#enter");
  await replay.step();
  const { events, frames } = await logOf(page);
  expect(kinds(events)).toEqual(["added right", "added right"]);
  expect(frames).toHaveLength(6);
  expect(frames[5]?.sources[0]?.joints["index-finger-tip"]).not.toBeNull();
  // And no session that has ended.
  await page.evaluate("session.end()");
  await page.click("#enter");
  await replay.seek(1.85);
  await replay.step();
  expect((await logOf(page)).frames[6]?.sources).toEqual([]);
});

test("seeking back runs no frame and the page's time continues", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder), { rate: 10 });
  await enter(page);
  await replay.step(10);
  await replay.seek(0.5);
  expect(replay.time).toBe(0.5);
  await replay.step(2);
  expect(replay.time).toBe(0.7);
  const { frames } = await logOf(page);
  expect(frames.map(({ timeMs }) => timeMs)).toEqual(Array.from({ length: 12 }, (_, n) => 100 * (n + 1)));
  expect(frames.every(({ frameRate }) => frameRate === 10)).toBe(true);
  const tip = (n: number) => frames[n]?.sources[0]?.joints["index-finger-tip"];
  expect(tip(10)).toEqual(tip(5));
});

test("uninstalling restores the browser's WebXR", async ({ page, folder }) => {
  await page.goto(EXAMPLE_PAGE);
  const state = () => page.evaluate("[navigator.userAgent, String(navigator.xr), String(XRSession)]");
  const before = await state();
  const replay = await installRecording(page, recordPress(folder), { device: "metaQuestPro" });
  await page.goto(EXAMPLE_PAGE);
  expect(String(await state())).toContain("Quest Pro");
  expect(await page.evaluate("[Object.keys(window).filter((name) => /iwer/i.test(name)), 'module' in window]")).toEqual(
    [[], false],
  );
  await page.click("#enter");
  await replay.step(3);
  await replay.uninstall();
  expect(await state()).toEqual(before);
  await page.goto(EXAMPLE_PAGE);
  expect(await state()).toEqual(before);
  await expect(replay.step()).rejects.toThrow("the recording is not in this page");
});

test("invalid arguments are rejected with a message", async ({ page, folder }) => {
  const file = recordPress(folder);
  const csv = path.join(folder, "press.csv");
  // Without its marker, which a table cannot represent.
  const unmarked = record(path.join(folder, "unmarked.bin"), 21, () => head);
  holotape(["convert", unmarked, csv]);
  await expect(installRecording(page, csv)).rejects.toThrow("`holotape convert press.csv recording.bin`");
  await expect(installRecording(page, path.join(folder, "none.bin"))).rejects.toThrow("none.bin");
  await expect(installRecording({} as never, file)).rejects.toThrow("addInitScript");
  const bytes = readFileSync(file);
  await expect(installRecording(page, bytes, { rate: 0 })).rejects.toThrow("invalid rate: 0 Hz");
  await expect(installRecording(page, bytes, { device: "quest" as never })).rejects.toThrow("metaQuest3");
  await expect(installRecording(page, bytes, { origin: { x: Number.NaN } })).rejects.toThrow("origin.x");
  const replay = await installRecording(page, new Uint8Array(bytes).buffer);
  await expect(replay.step()).rejects.toThrow("install it before page.goto");
  await enter(page);
  await expect(replay.step(0.5)).rejects.toThrow("must be an integer");
  await expect(replay.seek(Number.NaN)).rejects.toThrow("invalid time: NaN");
  await expect(replay.play({ speed: 0 })).rejects.toThrow("invalid speed: 0");
  await replay.step();
});

test("step fails with a message if the page has no session", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder));
  await page.goto(EXAMPLE_PAGE);
  await expect(replay.step()).rejects.toThrow("the page has no XR session");
});
