/** What a page sees besides poses: input sources that come and go, selections in their order, spaces, time. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { installRecording, type RecordingEvent } from "holotape-webxr";
import { recordPress } from "../example/press";
import { EXAMPLE_PAGE, expect, test } from "./fixtures";
import { holotape, type PrintedFrame, ROOT, sample } from "./holotape";
import { enter, logOf } from "./raw";

const VALID = path.join(ROOT, "testdata/valid");
const kinds = (events: readonly { readonly type: string; readonly hand: string }[]) =>
  events.map(({ type, hand }) => `${type} ${hand}`);

/** A recording of the frames that a function gives, one every 50 ms. */
function record(file: string, frames: number, frameAt: (time: number) => Omit<PrintedFrame, "time">): string {
  const lines = Array.from({ length: frames }, (_, n) => JSON.stringify({ time: n / 20, ...frameAt(n / 20) }));
  holotape(["record", file, "--no-gaze-fallback"], `${lines.join("\n")}\n`);
  return file;
}

const head = { camera: { position: [0.1, 1.5, 0.2], rotation: [0, 0, 0, 1] } } as const;
const wrist = { Wrist: { position: [0.2, 1.2, 0.4], rotation: [0, 0, 0, 1] } } as const;

test("a pinch shorter than a frame is told whole, one that ends with its hand without a select", async ({
  page,
  folder,
}) => {
  // The right hand pinches for 50 ms; the left one is lost in the middle of a pinch.
  const file = record(path.join(folder, "short.bin"), 41, (time) => ({
    ...head,
    right: { tracked: true, pinching: time > 0.52 && time < 0.58, joints: wrist },
    left: { tracked: time < 1.5, pinching: time > 1.02, ...(time < 1.5 && { joints: wrist }) },
  }));
  const take = await installRecording(page, file, { rate: 2 });
  await enter(page);
  await take.step(4);
  const { events } = await logOf(page);
  expect(kinds(events)).toEqual([
    "added left",
    "added right",
    "selectstart right",
    "select right",
    "selectend right",
    "selectstart left",
    "selectend left",
    "removed left",
  ]);
  // Frames are written down after the events of their start.
  expect(events.map(({ frame }) => frame)).toEqual([0, 0, 1, 1, 1, 2, 2, 2]);
  expect(events.every(({ isListed }) => isListed !== false)).toBe(true);
  // Found and pinching within one frame: a page hears of the hand first.
  await take.seek(0);
  await page.evaluate("session.end()");
  await page.click("#enter");
  await page.evaluate("log.events.length = 0");
  await take.seek(0.5);
  await take.step();
  const { events: again } = await logOf(page);
  expect(kinds(again)).toEqual(["added left", "added right", "selectstart right", "select right", "selectend right"]);
  expect(again.every(({ isListed }) => isListed !== false)).toBe(true);
});

test("a hand without recorded joints but one is there with that one", async ({ page, folder }) => {
  const file = record(path.join(folder, "wrist.bin"), 21, () => ({
    ...head,
    right: { tracked: true, pinching: false, joints: wrist },
  }));
  const take = await installRecording(page, file);
  await enter(page);
  await take.step();
  const { frames } = await logOf(page);
  const [seen] = frames[0]?.sources ?? [];
  expect(seen?.joints.wrist?.position).toEqual([0.2, 1.2, -0.4].map(Math.fround));
  expect(seen?.joints["index-finger-tip"]).toBeNull();
  expect(seen?.areFilled).toEqual([false, false]);
  expect(seen?.grip?.position).toEqual([0.2, 1.2, -0.4].map(Math.fround));
});

test("without hand tracking there are hands without joints, which select", async ({ page, folder }) => {
  const take = await installRecording(page, recordPress(folder));
  await enter(page, { features: "" });
  await take.step(144);
  const { frames, events } = await logOf(page);
  expect(kinds(events)).toEqual([
    "added right",
    "selectstart right",
    "select right",
    "selectend right",
    "removed right",
  ]);
  const seen = frames[72]?.sources[0];
  expect(seen?.joints).toEqual({});
  expect(seen?.profiles).toContain("generic-hand-select");
  expect(seen?.grip).not.toBeNull();
});

test("the target ray leads from the knuckle away from the shoulder", async ({ page, folder }) => {
  const file = recordPress(folder);
  const take = await installRecording(page, file);
  await enter(page);
  await take.seek(1 - 1 / 72);
  await take.step();
  const [frame] = (await logOf(page)).frames;
  const knuckle = sample(file, "--at", "1")[0]?.right?.joints?.IndexKnuckle?.position ?? [0, 0, 0];
  const at = [knuckle[0], knuckle[1], -knuckle[2]] as const;
  const ray = frame?.sources[0]?.ray;
  expect(ray?.position.map((value, axis) => Math.abs(value - (at[axis] as number)) < 1e-6)).toEqual([true, true, true]);
  // Head at 1.6 m, looking ahead: the right shoulder is 17 cm to the right of the eyes and 20 cm below.
  const along = [at[0] - 0.17, at[1] - 1.4, at[2]];
  const length = Math.hypot(...along);
  const [x, y, z, w] = ray?.rotation ?? [0, 0, 0, 1];
  const forward = [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))];
  for (const [axis, value] of along.entries()) {
    expect(forward[axis]).toBeCloseTo(value / length, 5);
  }
});

test("eyes are an input source where the page asks for them", async ({ page }) => {
  const file = path.join(VALID, "mrtk28_all.bin");
  const take = await installRecording(page, file, { rate: 4, origin: { floor: 0 } });
  await enter(page, { features: "eye-tracking" });
  await take.step(4);
  const { frames, events } = await logOf(page);
  expect(events).toContainEqual({ frame: 0, type: "added", hand: "none", mode: "gaze" });
  const gaze = sample(file, "--at", "1")[0]?.gaze;
  const ray = frames[3]?.sources.find(({ mode }) => mode === "gaze")?.ray;
  const [x, y, z, w] = ray?.rotation ?? [0, 0, 0, 1];
  const forward = [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))];
  for (const axis of [0, 1, 2]) {
    const sign = axis === 2 ? -1 : 1;
    expect(forward[axis]).toBeCloseTo(sign * (gaze?.direction[axis] ?? Number.NaN), 5);
    expect(ray?.position[axis]).toBeCloseTo(sign * (gaze?.origin[axis] ?? Number.NaN), 5);
  }
  await enter(page, { features: "hand-tracking" });
  await take.step(4);
  expect((await logOf(page)).events.some(({ mode }) => mode === "gaze")).toBe(false);
});

test("a head that begins at the origin is put at the height of eyes, others stay where they are", async ({
  page,
  folder,
}) => {
  const low = record(path.join(folder, "low.bin"), 21, () => ({
    camera: { position: [0.1, -0.05, 0.2], rotation: [0, 0, 0, 1] },
  }));
  const take = await installRecording(page, low);
  await enter(page);
  await take.step();
  expect((await logOf(page)).frames[0]?.viewer.position[1]).toBeCloseTo(1.55, 5);
  await take.uninstall();
  const turned = await installRecording(
    page,
    record(path.join(folder, "high.bin"), 21, () => head),
    {
      origin: { x: 1, z: 2, yawDegrees: 90 },
    },
  );
  await enter(page);
  await turned.step();
  // (0.1, -0.2) to the right and backward, a quarter turn to the left: (-0.2, -0.1).
  const viewer = (await logOf(page)).frames[0]?.viewer;
  for (const [axis, value] of [0.8, 1.5, 1.9].entries()) {
    expect(viewer?.position[axis]).toBeCloseTo(value, 5);
  }
  for (const [axis, value] of [0, Math.SQRT1_2, 0, Math.SQRT1_2].entries()) {
    expect(viewer?.rotation[axis]).toBeCloseTo(value, 5);
  }
});

test("local space begins at the head, upright; offsets are those of the page", async ({ page, folder }) => {
  // Looks down by 60 degrees, and a quarter turn to the right.
  const [s, c] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
  const rotation = [s * Math.SQRT1_2, c * Math.SQRT1_2, -s * Math.SQRT1_2, c * Math.SQRT1_2] as const;
  const file = record(path.join(folder, "down.bin"), 21, () => ({ camera: { position: [0.1, 1.5, 0.2], rotation } }));
  const take = await installRecording(page, file);
  await enter(page, { space: "local" });
  await take.step();
  const [frame] = (await logOf(page)).frames;
  for (const axis of [0, 1, 2]) {
    expect(frame?.viewer.position[axis]).toBeCloseTo(0, 5);
  }
  // What is left is the look down.
  for (const [axis, value] of [-s, 0, 0, c].entries()) {
    expect(frame?.viewer.rotation[axis]).toBeCloseTo(value, 5);
  }
  // Seen from (1, 2, 3), turned about: x and z change signs.
  for (const [axis, value] of [1, -2, 3].entries()) {
    expect(frame?.fromShifted.position[axis]).toBeCloseTo(value, 5);
  }
});

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
