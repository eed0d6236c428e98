/** Keyboard shortcuts. */

import type { Page } from "@playwright/test";
import type { State } from "../src/state";
import { expect, holotape, test } from "./holotape";
import { isPlaying, markers, seek, time } from "./page";

type SignalName = "looping" | "speed" | "range" | "camera" | "trails" | "panel" | "window" | "difference";

function value<Name extends SignalName>(page: Page, name: Name): Promise<State[Name]["value"]> {
  return page.evaluate((name) => window.holotape.app.state[name].value, name) as Promise<State[Name]["value"]>;
}

test("keys seek and play", async ({ view, open }) => {
  const page = await open(await view());
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
    return time(page);
  };
  await page.keyboard.press("Space");
  expect(await isPlaying(page)).toBe(true);
  await page.keyboard.press("Space");
  expect(await isPlaying(page)).toBe(false);
  await seek(page, 0);
  const frame = await press("ArrowRight");
  expect(frame).toBeGreaterThan(0);
  expect(frame).toBeLessThan(0.05);
  expect(await press("ArrowRight", "ArrowLeft")).toBeCloseTo(frame, 5);
  expect(await press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")).toBeCloseTo(frame + 1, 5);
  expect(await press("End")).toBe(12);
  expect(await press("Home")).toBe(0);
  const [first, second] = await markers(page);
  expect(await press(".", ".")).toBeCloseTo(second?.time ?? 0, 5);
  expect(await press(",")).toBeCloseTo(first?.time ?? 0, 5);
});

test("keys change speed, range and zoom", async ({ view, open }) => {
  const page = await open(await view());
  await page.keyboard.press("+");
  expect(await value(page, "speed")).toBe(2);
  for (let n = 0; n < 9; n++) {
    await page.keyboard.press("-");
  }
  expect(await value(page, "speed")).toBe(0.1);
  await page.keyboard.press("l");
  expect(await value(page, "looping")).toBe(false);
  await seek(page, 3);
  await page.keyboard.press("[");
  await seek(page, 5);
  await page.keyboard.press("]");
  expect(await value(page, "range")).toEqual([3, 5]);
  await page.keyboard.press("z");
  expect(await value(page, "window")).toEqual([3, 5]);
  await page.keyboard.press("z");
  expect(await value(page, "window")).toEqual([0, 12]);
  await page.keyboard.press("\\");
  expect(await value(page, "range")).toBeNull();
});

test("keys change the view and the page", async ({ view, open }) => {
  const page = await open(await view());
  for (const [key, camera] of Object.entries({ 3: "head", 2: "follow", 1: "orbit" })) {
    await page.keyboard.press(key);
    expect(await value(page, "camera")).toBe(camera);
  }
  await page.keyboard.press("t");
  expect(await value(page, "trails")).toBe(true);
  await page.keyboard.press("d");
  expect(await value(page, "difference"), "nothing to compare").toBe(false);
  await page.keyboard.press("c");
  await page.keyboard.press("p");
  expect(await value(page, "panel")).toBeNull();
  await page.keyboard.press("p");
  expect(await value(page, "panel")).toBe("curves");
  await page.evaluate(() => {
    const { view } = window.holotape.app;
    view.openPanel("export");
    view.closePanel();
  });
  await page.keyboard.press("p");
  expect(await value(page, "panel"), "however it was closed").toBe("export");
});

test("keys edit and undo", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  const before = await markers(page);
  await seek(page, 8);
  await page.keyboard.press("m");
  await expect.poll(async () => (await markers(page)).length).toBe(before.length + 1);
  await page.keyboard.press("Control+z");
  await expect.poll(() => markers(page)).toEqual(before);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(async () => (await markers(page)).length).toBe(before.length + 1);
  await page.keyboard.press("Control+s");
  expect(await value(page, "panel")).toBe("edit");
  await expect(page.getByRole("textbox", { name: "File name" })).toBeFocused();
});

test("shortcuts ignore text fields and browser keys", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate(() => {
    document.addEventListener("keydown", (event) => {
      document.body.dataset.taken = `${event.defaultPrevented}`;
    });
  });
  const isHandled = () => page.evaluate(() => document.body.dataset.taken);
  await page.getByLabel("Time, in seconds").focus();
  await page.keyboard.type("l1 ");
  expect(await isHandled()).toBe("false");
  await page.keyboard.press("Escape");
  expect([await value(page, "looping"), await isPlaying(page)]).toEqual([true, false]);
  for (const key of ["Control+l", "Control+z", "Control+s", "Alt+ArrowLeft", "Control+1", "Shift+t", "m"]) {
    await page.keyboard.press(key);
    expect(await isHandled(), key).toBe("false");
  }
  expect(await value(page, "camera")).toBe("orbit");
  await page.getByRole("button", { name: "Loop" }).focus();
  await page.keyboard.press("Space");
  expect([await value(page, "looping"), await isPlaying(page)]).toEqual([false, false]);
});

test("the help dialog lists the available keys", async ({ view, open }) => {
  const page = await open(await view());
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys and gestures" });
  await expect(dialog).toContainText("Play or pause");
  await expect(dialog.getByRole("heading", { name: "In the scene" })).toBeVisible();
  await expect(dialog.getByRole("contentinfo")).toHaveText(holotape("--version").trim());
  await expect(dialog).not.toContainText("Add a marker");
  await page.keyboard.press("l");
  expect(await value(page, "looping"), "shortcuts are disabled while the dialog is open").toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
});

test("hiding a panel moves the focus to its toggle or tab", async ({ view, open }) => {
  const page = await open(await view());
  await page.getByRole("button", { name: "Hide panel", exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "Show or hide panels" })).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("tab", { name: "Markers" }).click();
  await page.getByRole("button", { name: "Hide panel", exact: true }).press("Enter");
  await expect(page.getByRole("tab", { name: "Markers" })).toBeFocused();
});
