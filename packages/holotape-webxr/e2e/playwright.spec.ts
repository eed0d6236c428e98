/** The fixtures of `holotape-webxr/playwright`. */

import path from "node:path";
import { EXAMPLE_PAGE, expect, test } from "./fixtures";
import { ROOT } from "./holotape";

const RECORDING = path.join(ROOT, "testdata/valid/mrtk28_all.bin");

test("page without a recording is Playwright's", async ({ page }) => {
  await page.goto(EXAMPLE_PAGE);
  expect(await page.evaluate(() => navigator.userAgent)).not.toContain("Quest");
});

test.describe("with a recording", () => {
  test.use({ recording: RECORDING, recordingOptions: { device: "metaQuest2" } });

  test("page replays it although the test does not use replay", async ({ page }) => {
    await page.goto(EXAMPLE_PAGE);
    expect(await page.evaluate(() => navigator.userAgent)).toContain("Quest 2");
  });

  test("replay controls the page", async ({ page, replay }) => {
    await page.goto(EXAMPLE_PAGE);
    await page.click("#enter");
    await replay.step(3);
    expect(replay.time).toBeCloseTo(3 / 72, 9);
    expect(await page.evaluate(() => window.button.frames)).toBe(3);
  });
});
