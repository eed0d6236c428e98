/** Playback. */

import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, holotape, test } from "./holotape";
import { isPlaying, seek, time } from "./page";

declare global {
  interface Window {
    heldFrames: FrameRequestCallback[];
  }
}

/** Runs no frame of the page until `runFrames`. */
function holdFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.heldFrames = [];
    window.requestAnimationFrame = (callback) => window.heldFrames.push(callback);
  });
}

/** Runs frames at times in milliseconds. Returns the time of playback after each. */
function runFrames(page: Page, timesMs: readonly number[]): Promise<number[]> {
  return page.evaluate(
    (timesMs) =>
      timesMs.map((now) => {
        for (const callback of window.heldFrames.splice(0)) {
          callback(now);
        }
        return window.holotape.app.state.time.value;
      }),
    timesMs,
  );
}

test.beforeEach(async ({ view, open }) => {
  await open(await view());
});

test("the demo opens paused at its start", async ({ page }) => {
  await expect(page.getByText("demo.bin").first()).toBeVisible();
  expect([await time(page), await isPlaying(page)]).toEqual([0, false]);
  await expect(page.getByRole("slider", { name: "Time", exact: true })).toHaveAttribute("aria-valuemax", "12.00");
});

test("playback has the selected speed and loops the range", async ({ page }) => {
  await seek(page, 2);
  await page.keyboard.press("[");
  await seek(page, 2.5);
  await page.keyboard.press("]");
  await page.getByRole("combobox", { name: "Speed" }).selectOption("2");
  await holdFrames(page);
  await page.keyboard.press("Space");
  const times = await runFrames(page, [1000, 1100, 1200, 1300, 1400, 2000]);
  // The frames are 0.1 s apart. The last step is limited to 0.25 s.
  const expected = [2, 2.2, 2.4, 2.1, 2.3, 2.3];
  expect(times.map((time) => time.toFixed(6))).toEqual(expected.map((time) => time.toFixed(6)));
  expect(await isPlaying(page)).toBe(true);
  await page.keyboard.press("Space");
  expect(await isPlaying(page)).toBe(false);
});

test("pausing and playing repeatedly runs one clock", async ({ page }) => {
  const max = await page.evaluate(async () => {
    const requestFrame = window.requestAnimationFrame.bind(window);
    const requested = new Map<FrameRequestCallback, number>();
    window.requestAnimationFrame = (what) => {
      requested.set(what, (requested.get(what) ?? 0) + 1);
      return requestFrame(what);
    };
    for (let n = 0; n < 5; n++) {
      window.holotape.app.playback.togglePlay();
    }
    return Math.max(...requested.values());
  });
  expect(max).toBe(1);
});

test("playback stops at the end without loop", async ({ page }) => {
  await page.keyboard.press("l");
  await seek(page, 11.9);
  await page.keyboard.press("Space");
  await expect.poll(() => time(page)).toBe(12);
  await expect.poll(() => isPlaying(page)).toBe(false);
});

test("arrow keys step between frames", async ({ page }) => {
  await seek(page, 1);
  const stepped: number[] = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) {
    await page.keyboard.press(key);
    stepped.push((await time(page)) * 60);
  }
  // Frames of the demo are not exactly 1/60 s apart.
  expect(stepped.map((frames) => frames.toFixed(1))).toEqual(["61.0", "62.0", "61.0", "60.0"]);
});

test("steps are 1/60 s without keys and after the end", async ({ folder, view, open }) => {
  const [short, few, long] = ["short.bin", "few.bin", "long.bin"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  holotape("demo", short, "--seconds", "2");
  holotape("optimize", short, few);
  holotape("demo", long);
  const page = await open(await view(few, long));
  const step = async (key: string, from: number) => {
    await seek(page, from);
    await page.keyboard.press(key);
    return (await time(page)) - from;
  };
  for (const from of [0.5, 1, 1.5, 5]) {
    expect(await step("ArrowRight", from)).toBeGreaterThan(0);
    expect(await step("ArrowRight", from)).toBeLessThanOrEqual(0.1);
    expect(await step("ArrowLeft", from)).toBeLessThan(0);
    expect(await step("ArrowLeft", from)).toBeGreaterThanOrEqual(-0.1);
  }
});

test("typing in a field triggers no shortcut", async ({ page }) => {
  await page.keyboard.press("c");
  await page.getByRole("searchbox", { name: "Search curves" }).pressSequentially("t 3");
  const { camera, trails } = await page.evaluate(() => {
    const { state } = window.holotape.app;
    return { camera: state.camera.value, trails: state.trails.value };
  });
  expect([camera, trails]).toEqual(["orbit", false]);
});
