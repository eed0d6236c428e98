/** The recording in the reference spaces of a page. */

import path from "node:path";
import { installRecording } from "holotape-webxr";
import { expect, test } from "./fixtures";
import { enter, logOf } from "./raw";
import { head, record } from "./record";

test("a head that starts at the origin is raised to eye height", async ({ page, folder }) => {
  const low = record(path.join(folder, "low.bin"), 21, () => ({
    camera: { position: [0.1, -0.05, 0.2], rotation: [0, 0, 0, 1] },
  }));
  const replay = await installRecording(page, low);
  await enter(page);
  await replay.step();
  expect((await logOf(page)).frames[0]?.viewer.position[1]).toBeCloseTo(1.55, 5);
  await replay.uninstall();
  const turned = await installRecording(
    page,
    record(path.join(folder, "high.bin"), 21, () => head),
    {
      origin: { x: 1, z: 2, yawDeg: 90 },
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

test("local space starts at the head without tilt and applies offsets", async ({ page, folder }) => {
  // Looks down by 60 degrees, after a quarter turn to the right.
  const [s, c] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
  const rotation = [s * Math.SQRT1_2, c * Math.SQRT1_2, -s * Math.SQRT1_2, c * Math.SQRT1_2] as const;
  const file = record(path.join(folder, "down.bin"), 21, () => ({ camera: { position: [0.1, 1.5, 0.2], rotation } }));
  const replay = await installRecording(page, file);
  await enter(page, { space: "local" });
  await replay.step();
  const [frame] = (await logOf(page)).frames;
  for (const axis of [0, 1, 2]) {
    expect(frame?.viewer.position[axis]).toBeCloseTo(0, 5);
  }
  // Only the pitch remains.
  for (const [axis, value] of [-s, 0, 0, c].entries()) {
    expect(frame?.viewer.rotation[axis]).toBeCloseTo(value, 5);
  }
  // Seen from (1, 2, 3), rotated by half a turn: x and z change signs.
  for (const [axis, value] of [1, -2, 3].entries()) {
    expect(frame?.fromShifted.position[axis]).toBeCloseTo(value, 5);
  }
});

for (const [stereo, widths] of [
  [false, [1, 0]],
  [true, [0.5, 0.5]],
] as const) {
  test(`the page gets two views, ${stereo ? "both drawn" : "one of them drawn"}`, async ({ page, folder }) => {
    const replay = await installRecording(
      page,
      record(path.join(folder, "head.bin"), 21, () => head),
      { stereo },
    );
    await enter(page);
    await replay.step();
    expect((await logOf(page)).frames[0]?.widths).toEqual(widths);
  });
}
