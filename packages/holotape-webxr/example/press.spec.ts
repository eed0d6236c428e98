/** A recording presses the button of the example. */

import path from "node:path";
import type { Page } from "@playwright/test";
import { installRecording, type RecordingController, type RecordingEvent } from "holotape-webxr";
import { EXAMPLE_PAGE, expect, test } from "../e2e/fixtures";
import { holotape } from "../e2e/holotape";
import type { Log } from "./main";
import { recordPress } from "./press";

const RATE_HZ = 72;
const RUNS = 50;
/**
 * The front of the button is 0.43 m ahead. The finger moves from 0.25 m to 0.445 m between 0.5 s and 1 s, and back in the same time. The
 * first frame of the page is one step after the start.
 */
const REACHED_SECS = 0.5 + (0.5 * (0.43 - 0.25)) / (0.445 - 0.25);
const FIRST_INSIDE = Math.ceil(REACHED_SECS * RATE_HZ);
const LAST_INSIDE = Math.floor((2 - REACHED_SECS) * RATE_HZ);

test("the recorded finger presses the button", async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder), { rate: RATE_HZ });
  const { log, events } = await run(page, replay);
  await expect(page.locator("#state")).toHaveText("pressed");
  expect(log.presses).toHaveLength(1);
  const [press] = log.presses;
  expect(press?.frame).toBe(FIRST_INSIDE);
  expect(press?.timeMs).toBeCloseTo((1000 * FIRST_INSIDE) / RATE_HZ, 9);
  expect(press?.point[2]).toBeLessThanOrEqual(-0.43);
  expect(log.events.map(({ type, hand }) => `${type} ${hand}`)).toEqual([
    "added right",
    "selectstart right",
    "select right",
    "selectend right",
    "removed right",
  ]);
  expect(events.map(({ type }) => type)).toEqual(["handfound", "marker", "pinchstart", "pinchend", "handlost", "end"]);
});

test("the other hand does not press it", async ({ page, folder }) => {
  const mirrored = path.join(folder, "mirrored.bin");
  holotape(["mirror", recordPress(folder), mirrored]);
  const replay = await installRecording(page, mirrored, { rate: RATE_HZ });
  const { log } = await run(page, replay);
  expect(log.ignored).toBe(LAST_INSIDE - FIRST_INSIDE + 1);
  expect(log.presses).toEqual([]);
  await expect(page.locator("#state")).toHaveText("not pressed");
  expect(log.events[0]).toEqual({ frame: expect.any(Number), type: "added", hand: "left" });
});

test(`${RUNS} runs give identical results`, async ({ page, folder }) => {
  const replay = await installRecording(page, recordPress(folder), { rate: RATE_HZ });
  const first = await run(page, replay);
  expect(first.log.presses).toHaveLength(1);
  for (let n = 1; n < RUNS; n++) {
    expect(await run(page, replay), `run ${n}`).toStrictEqual(first);
  }
});

/** Reloads the page and steps through the whole recording. */
async function run(page: Page, replay: RecordingController): Promise<{ log: Log; events: RecordingEvent[] }> {
  const events: RecordingEvent[] = [];
  const types = ["handfound", "handlost", "pinchstart", "pinchend", "marker", "end"] as const;
  const stops = types.map((type) => replay.on(type, (event) => events.push(event)));
  await page.goto(EXAMPLE_PAGE);
  await page.click("#enter");
  await replay.step(Math.ceil(replay.duration * RATE_HZ));
  for (const stop of stops) {
    stop();
  }
  return { log: await page.evaluate(() => window.button), events };
}
