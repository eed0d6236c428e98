/** The scene: what is in it, from where it is seen, and when it is drawn. */

import type { Page } from "@playwright/test";
import { expect, test } from "./holotape";

/** How many frames are drawn within so many of the browser's. */
function framesWithin(page: Page, frames: number): Promise<number> {
  return page.evaluate(async (frames) => {
    const { scene } = window.holotape;
    const before = scene.framesDrawn;
    for (let n = 0; n < frames; n++) {
      await new Promise(requestAnimationFrame);
    }
    return scene.framesDrawn - before;
  }, frames);
}

test("without recordings nothing is drawn again and again", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate(() => {
    window.holotape.app.state.takes.value = [];
  });
  await expect.poll(() => framesWithin(page, 30)).toBe(0);
});
