/** Hands and gaze as input sources, and select events. */

import path from "node:path";
import { installRecording } from "holotape-webxr";
import { recordPress } from "../example/press";
import { expect, test } from "./fixtures";
import { ROOT, sample } from "./holotape";
import { enter, logOf } from "./raw";
import { head, kinds, record, wrist } from "./record";

const VALID = path.join(ROOT, "testdata/valid");

test("a short pinch sends all select events, a cancelled one no select", async ({ page, folder }) => {
  // The right hand pinches for 50 ms; the left hand is lost during a pinch.
  const file = record(path.join(folder, "short.bin"), 41, (time) => ({
    ...head,
    right: { tracked: true, pinching: time > 0.52 && time < 0.58, joints: wrist },
    left: { tracked: time < 1.5, pinching: time > 1.02, ...(time < 1.5 && { joints: wrist }) },
  }));
  const replay = await installRecording(page, file, { rate: 2 });
  await enter(page);
  await replay.step(4);
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
  // A frame is logged after the events of its start.
  expect(events.map(({ frame }) => frame)).toEqual([0, 0, 1, 1, 1, 2, 2, 2]);
  expect(events.every(({ isListed }) => isListed !== false)).toBe(true);
  // If a hand is found and pinches in one frame, `inputsourceschange` comes first.
  await replay.seek(0);
  await page.evaluate("session.end()");
  await page.click("#enter");
  await page.evaluate("log.events.length = 0");
  await replay.seek(0.5);
  await replay.step();
  const { events: again } = await logOf(page);
  expect(kinds(again)).toEqual(["added left", "added right", "selectstart right", "select right", "selectend right"]);
  expect(again.every(({ isListed }) => isListed !== false)).toBe(true);
});

test("a hand with one recorded joint has that joint only", async ({ page, folder }) => {
  const file = record(path.join(folder, "wrist.bin"), 21, () => ({
    ...head,
    right: { tracked: true, pinching: false, joints: wrist },
  }));
  const replay = await installRecording(page, file);
  await enter(page);
  await replay.step();
  const { frames } = await logOf(page);
  const [seen] = frames[0]?.sources ?? [];
  expect(seen?.joints.wrist?.position).toEqual([0.2, 1.2, -0.4].map(Math.fround));
  expect(seen?.joints["index-finger-tip"]).toBeNull();
  expect(seen?.areFilled).toEqual([false, false]);
  expect(seen?.grip?.position).toEqual([0.2, 1.2, -0.4].map(Math.fround));
});

test("without hand tracking, hands have no joints but select", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder));
  await enter(page, { features: "" });
  await replay.step(144);
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

test("the target ray points from the knuckle away from the shoulder", async ({ page, folder }) => {
  const file = recordPress(folder);
  const replay = await installRecording(page, file);
  await enter(page);
  await replay.seek(1 - 1 / 72);
  await replay.step();
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

test("grips lie in the palm: y to the arm, -z to the thumb", async ({ page, folder }) => {
  // Palms down, fingers ahead: the thumb of a right hand is on its left.
  const hand = (x: number) => ({
    tracked: true,
    pinching: false,
    joints: { ...wrist, Palm: { position: [x, 1.2, 0.5], rotation: [0, 0, 0, 1] } as const },
  });
  const file = record(path.join(folder, "palms.bin"), 21, () => ({ ...head, left: hand(-0.2), right: hand(0.2) }));
  const replay = await installRecording(page, file);
  await enter(page);
  await replay.step();
  const [left, right] = (await logOf(page)).frames[0]?.sources ?? [];
  expect([left?.handedness, right?.handedness]).toEqual(["left", "right"]);
  expect([left?.grip?.position, right?.grip?.position]).toEqual([
    [-0.2, 1.2, -0.5].map(Math.fround),
    [0.2, 1.2, -0.5].map(Math.fround),
  ]);
  for (const [grip, thumb] of [
    [left?.grip, 1],
    [right?.grip, -1],
  ] as const) {
    const [x, y, z, w] = grip?.rotation ?? [0, 0, 0, 1];
    const yAxis = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    const minusZ = [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))];
    expect(yAxis.map((value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([0, 0, 1]);
    expect(minusZ.map((value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([thumb, 0, 0]);
  }
});

test("gaze is an input source if the page requests eye tracking", async ({ page }) => {
  const file = path.join(VALID, "mrtk28_all.bin");
  const replay = await installRecording(page, file, { rate: 4, origin: { floor: 0 } });
  await enter(page, { features: "eye-tracking" });
  await replay.step(4);
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
  await replay.step(4);
  expect((await logOf(page)).events.some(({ mode }) => mode === "gaze")).toBe(false);
});
