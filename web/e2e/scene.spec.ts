/** The scene. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, holotape, test } from "./holotape";
import { framesWithin, seek, settle, time } from "./page";

const SUBJECTS = ["camera", "gaze", "left.IndexTip", "right.IndexTip"];

/** The subjects drawn of a recording, by default of the first. */
function drawn(page: Page, index = 0): Promise<string[]> {
  return page.evaluate(
    ({ subjects, index }) => {
      const { app, scene } = window.holotape;
      const id = app.state.recordings.value[index]?.info.id ?? -1;
      return subjects.filter((subject) => scene.drawn(id, subject) !== null);
    },
    { subjects: SUBJECTS, index },
  );
}

/** Counts the colours of the canvas; an empty one has one. */
function colorCount(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const image = await createImageBitmap(await window.holotape.scene.snapshot());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(0);
    return new Set(new Uint32Array(pixels)).size;
  });
}

/** The brightness of the background, from 0 to 255. */
function background(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const image = await createImageBitmap(await window.holotape.scene.snapshot());
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context?.drawImage(image, 0, 0);
    const [red = 0, green = 0, blue = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
    return (red + green + blue) / 3;
  });
}

/** A modified demo recording. */
function changedDemo(folder: string, change: (curves: Record<string, object>) => void): string {
  const [demo, file] = [path.join(folder, "demo.json"), path.join(folder, "changed.json")];
  holotape("demo", path.join(folder, "demo.bin"), "--seconds", "2");
  holotape("convert", path.join(folder, "demo.bin"), demo);
  const recording = JSON.parse(readFileSync(demo, "utf8"));
  change(recording.curves);
  writeFileSync(file, JSON.stringify(recording));
  return file;
}

test("an empty scene is not redrawn", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate(() => {
    (window.holotape.app.state.recordings as { value: readonly unknown[] }).value = [];
  });
  await expect.poll(() => framesWithin(page, 30)).toBe(0);
});

const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  camera: ["camera"],
  gaze: ["gaze"],
  hands: ["left.IndexTip", "right.IndexTip"],
  left: ["left.IndexTip"],
};

for (const [part, places] of Object.entries(CHANNELS)) {
  test(`a recording of ${part} only is drawn with every camera`, async ({ folder, view, open }) => {
    const [demo, file] = [path.join(folder, "demo.bin"), path.join(folder, `${part}.bin`)];
    holotape("demo", demo, "--seconds", "2");
    holotape("select", demo, file, "--keep", part);
    const page = await open(await view(file));
    for (const key of ["3", "2", "1"]) {
      await page.keyboard.press(key);
      await expect.poll(() => drawn(page)).toEqual(places);
      expect(await colorCount(page)).toBeGreaterThan(20);
    }
  });
}

test("a recording without channels shows an empty scene", async ({ folder, view, open }) => {
  const file = changedDemo(folder, (curves) => {
    for (const name of Object.keys(curves)) {
      delete curves[name];
    }
  });
  const page = await open(await view(file));
  for (const key of ["3", "2", "1", "f", "Space"]) {
    await page.keyboard.press(key);
    expect(await colorCount(page), "the floor").toBeGreaterThan(20);
  }
  expect(await drawn(page)).toEqual([]);
});

test("a head with a non-finite pose is not drawn or followed", async ({ folder, view, open }) => {
  const file = changedDemo(folder, (curves) => {
    for (const axis of "xyzw") {
      curves[`camera.rotation.${axis}`] = { pre_wrap: 8, post_wrap: 8, keys: [[0, "NaN"]] };
    }
  });
  const page = await open(await view(file));
  for (const key of ["3", "2", "1"]) {
    await page.keyboard.press(key);
    expect(await drawn(page)).toEqual(["gaze", "left.IndexTip", "right.IndexTip"]);
    expect(await colorCount(page)).toBeGreaterThan(20);
  }
});

test("a recording is not drawn or compared outside its span", async ({ folder, view, open }) => {
  const files = ["2", "4"].map((seconds) => path.join(folder, `${seconds}.bin`));
  for (const file of files) {
    holotape("demo", file, "--seconds", path.parse(file).name);
  }
  const page = await open(await view(...files));
  const hud = page.locator(".scene-hud");
  await page.keyboard.press("d");
  await seek(page, 2);
  expect(await drawn(page)).toEqual(SUBJECTS);
  await expect(hud).toContainText("mean");
  await seek(page, 3);
  expect([await drawn(page, 0), await drawn(page, 1)]).toEqual([[], SUBJECTS]);
  await expect(hud).toContainText(/2\.bin\s*after end/);
  await expect(hud).toContainText("nothing to compare");
  await page.evaluate(() => {
    const { app } = window.holotape;
    const [, second] = app.state.recordings.value;
    if (second !== undefined) {
      app.setOffset(second, 1);
    }
  });
  await seek(page, 0.5);
  expect([await drawn(page, 0), await drawn(page, 1)]).toEqual([SUBJECTS, []]);
  await expect(hud).toContainText(/4\.bin\s*before start/);
  await expect(hud).toContainText("nothing to compare");
});

test("recordings side by side have name labels", async ({ folder, view, open }) => {
  const files = ["one.bin", "two.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file, "--seconds", "2");
  }
  const page = await open(await view(...files));
  const labels = page.locator(".scene-label");
  await expect(labels.filter({ visible: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Side by side" }).click();
  await expect(labels.filter({ visible: true })).toHaveText(["one.bin", "two.bin"]);
  const [one, two] = await Promise.all(["one.bin", "two.bin"].map((name) => labels.getByText(name).boundingBox()));
  expect((two?.x ?? 0) - (one?.x ?? 0), "the first on the left").toBeGreaterThan(100);
  expect(Math.abs((two?.y ?? 0) - (one?.y ?? 0))).toBeLessThan(60);
  await page.keyboard.press("o");
  await expect(labels.filter({ visible: true })).toHaveCount(0);
});

test("the theme follows the system or the selection", async ({ view, open }) => {
  const page = await open(await view());
  const light = await background(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => background(page)).toBeLessThan(60);
  expect(light).toBeGreaterThan(200);
  await page.getByRole("button", { name: "Theme: system" }).click();
  await expect.poll(() => background(page), "light is selected").toBe(light);
});

/** The position of the highlight's label. */
async function labelPosition(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator(".scene-label").boundingBox();
  return { x: Math.round(box?.x ?? Number.NaN), y: Math.round(box?.y ?? Number.NaN) };
}

test("keys rotate, pan and zoom the focused scene", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate(() => {
    window.holotape.app.view.highlight("camera");
  });
  await page.getByRole("button", { name: "Keyboard shortcuts" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("application", { name: "in 3D" })).toBeFocused();
  const first = await labelPosition(page);
  await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(async () => (await labelPosition(page)).x).toBeGreaterThan(first.x + 10);
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(async () => (await labelPosition(page)).y).toBeGreaterThan(first.y + 10);
  await page.keyboard.press("f");
  await expect.poll(() => labelPosition(page)).toEqual(first);
  await page.keyboard.press("-");
  await expect.poll(async () => (await labelPosition(page)).y, "away from the top").toBeGreaterThan(first.y + 5);
  await page.keyboard.press("+");
  await expect.poll(() => labelPosition(page)).toEqual(first);
  const arm = page.getByRole("button", { name: "along x" });
  const before = await arm.getAttribute("style");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => arm.getAttribute("style")).not.toBe(before);
  expect(await time(page)).toBe(0);
});

test("arrow keys still step through time after a click on the scene", async ({ view, open }) => {
  const page = await open(await view());
  await page.getByRole("application", { name: "in 3D" }).click();
  await page.keyboard.press("ArrowRight");
  expect(await time(page)).toBeGreaterThan(0);
});

const PHONES = {
  upright: { width: 390, height: 844 },
  sideways: { width: 844, height: 390 },
  "sideways and small": { width: 667, height: 375 },
};

for (const [held, size] of Object.entries(PHONES)) {
  test.describe(`on a phone in ${held}`, () => {
    test.use({ viewport: size, hasTouch: true });

    test("the scene is visible and everything is on screen", async ({ view, open }) => {
      const page = await open(await view());
      const scene = await page.locator(".scene").boundingBox();
      expect((scene?.width ?? 0) * (scene?.height ?? 0), `${JSON.stringify(scene)}`).toBeGreaterThan(
        0.3 * size.width * size.height,
      );
      for (const channel of [".bar", ".transport", ".lane-area", ".tabs"]) {
        await expect(page.locator(channel), channel).toBeInViewport({ ratio: 1 });
      }
      await page.getByRole("tab", { name: "Markers" }).tap();
      await expect(page.getByRole("tabpanel", { name: "Markers" })).toBeInViewport({ ratio: 1 });
      expect(await page.locator(".scene").boundingBox(), "the panel covers it").toEqual(scene);
      await page.getByRole("tab", { name: "Markers" }).tap();
      await expect(page.getByRole("tabpanel", { name: "Markers" })).toBeHidden();
    });
  });
}

test("leaving follow mode restores the orbit camera", async ({ view, open }) => {
  const page = await open(await view());
  // A highlight without animation settles at once.
  await page.emulateMedia({ reducedMotion: "reduce" });
  // Positions, not pixels: the camera that is restored can differ in the last bit, which can change a colour.
  const positions = async () => {
    const found: { x: number; y: number }[] = [];
    for (const subject of ["camera", "left.IndexTip"]) {
      await page.evaluate((name) => window.holotape.app.view.highlight(name), subject);
      await settle(page);
      found.push(await labelPosition(page));
    }
    return found;
  };
  const before = await positions();
  await page.keyboard.press("2");
  const followed = await positions();
  before.forEach((position, index) => {
    expect(followed[index]).not.toEqual(position);
  });
  await page.keyboard.press("1");
  expect(await positions()).toEqual(before);
});

test("the selected theme is stored", async ({ view, open }) => {
  const page = await open(await view());
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const button = page.getByRole("button", { name: /^Theme/ });
  while ((await theme()) !== "dark") {
    await button.click();
  }
  await page.reload();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  expect(await theme()).toBe("dark");
});
