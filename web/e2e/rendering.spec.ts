/** The scene draws the poses of the recording. */

import path from "node:path";
import { JOINTS } from "../src/recording/joints";
import { expect, holotape, sample, test } from "./holotape";
import { seek } from "./page";

interface Printed {
  readonly time: number;
  readonly camera?: { readonly position: readonly number[] };
  readonly left?: { readonly joints?: Readonly<Record<string, { readonly position: readonly number[] }>> };
  readonly right?: { readonly joints?: Readonly<Record<string, { readonly position: readonly number[] }>> };
}

const TIMES = [0, 0.5, 1.234, 3.77, 6.5, 9.99, 12];

test("joints and head are drawn at the positions of holotape sample", async ({ folder, view, open }) => {
  const file = path.join(folder, "demo.bin");
  holotape("demo", file);
  const page = await open(await view(file));
  let compared = 0;
  for (const frame of sample<Printed>(file, "--at", TIMES.join())) {
    await seek(page, frame.time);
    const names = ["left", "right"].flatMap((hand) => JOINTS.map((joint) => `${hand}.${joint}`));
    const drawn = await page.evaluate((names) => {
      const { app, scene } = window.holotape;
      const id = app.state.activeId.value ?? 0;
      return ["camera", ...names].map((name) => scene.drawn(id, name));
    }, names);
    expectNear(drawn[0], frame.camera?.position, `the head at ${frame.time} s`);
    for (const [n, name] of names.entries()) {
      const [hand, joint] = name.split(".") as ["left" | "right", string];
      const expected = joint === "None" ? undefined : frame[hand]?.joints?.[joint]?.position;
      expectNear(drawn[n + 1], expected, `${name} at ${frame.time} s`);
      compared += expected === undefined ? 0 : 1;
    }
  }
  expect(compared).toBeGreaterThan(52 * 4);
});

function expectNear(
  drawn: readonly number[] | null | undefined,
  expected: readonly number[] | undefined,
  subject: string,
) {
  expect(drawn?.length, subject).toBe(expected?.length);
  for (const [axis, value] of (expected ?? []).entries()) {
    expect(Math.abs((drawn?.[axis] ?? Number.NaN) - value), `${subject}: ${drawn} instead of ${expected}`).toBeLessThan(
      1e-5,
    );
  }
}
