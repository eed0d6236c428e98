/** The curves panel and the chart. */

import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, holotape, sample, test } from "./holotape";
import { isPlaying, seek, time } from "./page";

const TIP = ["x", "y", "z"].map((axis) => `left.IndexTip.position.${axis}`);

interface Frame {
  readonly left: { readonly joints: { readonly IndexTip: { readonly position: readonly number[] } } };
}

function curves(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.holotape.app.state.drawnCurves.value);
}

/** Counts saturated pixels of the chart: text and grid are grey. */
function colouredPixels(page: Page): Promise<number> {
  return page.locator(".curve-chart canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let count = 0;
    for (let n = 0; n < data.length; n += 4) {
      const rgb = [data[n] ?? 0, data[n + 1] ?? 0, data[n + 2] ?? 0];
      count += data[n + 3] === 255 && Math.max(...rgb) - Math.min(...rgb) > 80 ? 1 : 0;
    }
    return count;
  });
}

test("curves are selected by preset, by search and in the tree", async ({ view, open }) => {
  const page = await open(await view());
  await page.keyboard.press("c");
  const preset = page.getByRole("button", { name: "Left index tip" });
  await preset.click();
  expect(await curves(page)).toEqual(TIP);
  await expect(preset).toHaveAttribute("aria-pressed", "true");
  await preset.click();
  expect(await curves(page)).toEqual([]);

  const search = page.getByRole("searchbox", { name: "Search curves" });
  await search.fill("left indextip y");
  await page.getByRole("checkbox", { name: "left.IndexTip.position.y" }).check();
  expect(await curves(page)).toEqual(["left.IndexTip.position.y"]);
  await search.fill("unknown");
  await expect(page.getByText("No matching curves.")).toBeVisible();

  await search.fill("");
  await page.locator("summary", { hasText: "Head" }).click();
  await page.getByRole("checkbox", { name: /^position\.x/ }).check();
  expect(await curves(page)).toEqual(["left.IndexTip.position.y", "camera.position.x"]);
  await page.getByRole("button", { name: "Remove camera.position.x" }).click();
  await expect(page.getByRole("checkbox", { name: /^position\.x/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Clear all" }).click();
  expect(await curves(page)).toEqual([]);
  await expect(page.locator(".curve-chart")).toBeHidden();
});

test("the legend shows the values that holotape sample prints", async ({ folder, view, open }) => {
  const file = path.join(folder, "take.bin");
  holotape("demo", file, "--seconds", "5");
  const page = await open(await view(file));
  await page.evaluate((names) => window.holotape.app.view.showCurves(names, true), TIP);
  await expect.poll(() => colouredPixels(page)).toBeGreaterThan(500);
  await seek(page, 4);
  const [frame] = sample<Frame>(file, "--at", "4");
  const expected = frame?.left.joints.IndexTip.position.map((metres) => `${metres.toFixed(4)} m`) ?? [];
  const values = page.getByRole("list", { name: /^Curves shown/ }).locator(".curve-name + output");
  await expect(values).toHaveText(expected);
});

test("dragging the chart seeks and pauses playback", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate((names) => window.holotape.app.view.showCurves(names, true), TIP);
  const area = await page.locator(".curve-chart .u-over").boundingBox();
  const { x, y, width, height } = area ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.keyboard.press("Space");
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.down();
  expect(await isPlaying(page)).toBe(false);
  await page.mouse.move(x + width / 2, y + height / 2);
  expect(await time(page)).toBeCloseTo(6, 1);
  await page.mouse.up();
  expect(await isPlaying(page)).toBe(true);
  await page.keyboard.press("Space");

  await page.evaluate(() => window.holotape.app.playback.setWindow([4, 8]));
  await page.mouse.click(x - 20, y + height / 2);
  expect(await time(page), "limited to the window").toBe(4);
});

test("the wheel zooms the chart around the pointer and pans it", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate((names) => window.holotape.app.view.showCurves(names, true), TIP);
  const shown = () => page.evaluate(() => window.holotape.app.state.window.value);
  const area = await page.locator(".curve-chart .u-over").boundingBox();
  const { x, y, width, height } = area ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await shown())[0]).toBeGreaterThan(1);
  const [from, to] = await shown();
  expect(from + (to - from) / 4).toBeCloseTo(3, 1);
  await page.mouse.wheel(200, 0);
  await expect.poll(async () => (await shown())[0]).toBeGreaterThan(from);
  const moved = await shown();
  expect(moved[1] - moved[0]).toBeCloseTo(to - from, 6);
});
