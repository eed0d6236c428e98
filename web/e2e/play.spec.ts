/** Playback. */

import path from "node:path";
import { expect, holotape, test } from "./holotape";
import { isPlaying, seek, time } from "./page";

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
  await page.keyboard.press("Space");
  await expect.poll(() => isPlaying(page)).toBe(true);
  const times: number[] = [];
  for (let n = 0; n < 40; n++) {
    times.push(await time(page));
    await page.waitForTimeout(30);
  }
  expect(Math.min(...times)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...times)).toBeLessThanOrEqual(2.5);
  expect(
    times.some((later, n) => later < (times[n - 1] ?? 0)),
    "it began again",
  ).toBe(true);
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
