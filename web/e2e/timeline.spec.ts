/** Mouse and touch on the timeline. */

import path from "node:path";
import type { Page } from "@playwright/test";
import type { Span } from "../src/api";
import { expect, holotape, ROOT, test } from "./holotape";
import { holdResponses, isPlaying, markers, seek, time } from "./page";

/** The space at both ends of the lanes. */
const EDGE = 12;
/** The vertical positions of the ruler and the first row of flags. */
const [RULER, FLAGS] = [10, 33];

/** The page position of a time, `down` pixels below the top of the lanes. */
async function pointAt(page: Page, seconds: number, down = RULER): Promise<{ x: number; y: number }> {
  const box = await page.locator(".lanes").boundingBox();
  const [from, to] = await shown(page);
  const { x, y, width } = box ?? { x: 0, y: 0, width: 0 };
  return { x: x + EDGE + ((seconds - from) / (to - from)) * (width - 2 * EDGE), y: y + down };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, to.y);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

function shown(page: Page): Promise<Span> {
  return page.evaluate(() => window.holotape.app.state.window.value);
}

function range(page: Page): Promise<Span | null> {
  return page.evaluate(() => window.holotape.app.state.range.value);
}

/** One pixel is about 10 ms of the demo. */
const TOLERANCE_SECS = 1;

test("clicking and dragging the timeline seeks", async ({ view, open }) => {
  const page = await open(await view());
  const start = await pointAt(page, 3);
  await page.mouse.click(start.x, start.y);
  expect(await time(page)).toBeCloseTo(3, TOLERANCE_SECS);
  await page.keyboard.press("Space");
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  const end = await pointAt(page, 9, 60);
  await page.mouse.move(end.x, end.y);
  expect(await time(page)).toBeCloseTo(9, TOLERANCE_SECS);
  expect(await isPlaying(page)).toBe(false);
  await page.mouse.up();
  expect(await isPlaying(page)).toBe(true);
});

test("the wheel zooms around the pointer", async ({ view, open }) => {
  const page = await open(await view());
  const [start, end, about] = [await pointAt(page, 0), await pointAt(page, 12), await pointAt(page, 4)];
  // Wheel events have integer positions.
  const x = Math.round(about.x);
  const seconds = (12 * (x - start.x)) / (end.x - start.x);
  await page.mouse.move(x, about.y);
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await shown(page))[1]).toBeLessThan(11);
  expect((await pointAt(page, seconds)).x).toBeCloseTo(x, 3);
  const [from, to] = await shown(page);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 100);
  await page.keyboard.up("Shift");
  await expect.poll(async () => (await shown(page))[0]).toBeGreaterThan(from);
  const moved = await shown(page);
  expect(moved[1] - moved[0]).toBeCloseTo(to - from, 6);
  await page.getByRole("button", { name: "Show all" }).click();
  expect(await shown(page)).toEqual([0, 12]);
});

test("the wheel scrolls lanes that do not fit, and zooms with control", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin", "c.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file, "--seconds", "2");
  }
  const page = await open(await view(...files));
  await page.setViewportSize({ width: 1280, height: 320 });
  const { x, y } = await pointAt(page, 1);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 30);
  await expect.poll(() => page.locator(".lane-area").evaluate((area) => area.scrollTop)).toBeGreaterThan(0);
  expect(await shown(page)).toEqual([0, 2]);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -30);
  await page.keyboard.up("Control");
  await expect.poll(async () => (await shown(page))[1]).toBeLessThan(2);
});

test("pinching zooms without seeking", async ({ view, open }) => {
  const page = await open(await view());
  await seek(page, 3);
  const fingers = await page.context().newCDPSession(page);
  const { y } = await pointAt(page, 0, 60);
  const touch = async (type: "touchStart" | "touchMove" | "touchEnd", ...places: readonly number[]) => {
    const touchPoints = places.map((x, id) => ({ x, y, id }));
    await fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", 500);
  await touch("touchStart", 500, 700);
  await touch("touchMove", 400, 800);
  await touch("touchEnd");
  const [from, to] = await shown(page);
  expect(to - from).toBeCloseTo(6, TOLERANCE_SECS);
  expect(await time(page)).toBe(3);
});

test("shift-dragging selects a range, and handles move its ends", async ({ view, open }) => {
  const page = await open(await view());
  await page.keyboard.down("Shift");
  await drag(page, await pointAt(page, 2), await pointAt(page, 5));
  await page.keyboard.up("Shift");
  const [from, to] = (await range(page)) ?? [0, 0];
  expect([from, to].map((end) => Math.round(end))).toEqual([2, 5]);
  const handle = page.getByRole("slider", { name: "Range end" });
  const box = (await handle.boundingBox()) ?? { x: 0, y: 0 };
  const [grip, goal] = [{ x: box.x + 4, y: box.y + 50 }, await pointAt(page, to + 2)];
  await drag(page, grip, { x: goal.x + 4, y: grip.y });
  expect((await range(page))?.[1]).toBeCloseTo(to + 2, TOLERANCE_SECS);
  await handle.press("ArrowRight");
  await handle.press("PageDown");
  expect((await range(page))?.[1]).toBeCloseTo(to + 1.01, TOLERANCE_SECS);
  await handle.press("Home");
  expect((await range(page))?.[1]).toBeCloseTo(from + 0.01, 3);
  expect(await time(page), "the handle consumes its keys").toBe(0);
  await page.getByRole("button", { name: "Clear range" }).click();
  expect(await range(page)).toBeNull();
});

test("clicking a flag seeks, dragging it moves the marker", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  const before = await markers(page);
  const [first] = before;
  const flag = await pointAt(page, first?.time ?? 0, FLAGS);
  await page.mouse.click(flag.x + 10, flag.y);
  expect(await time(page)).toBeCloseTo(first?.time ?? 0, 6);
  const goal = await pointAt(page, 0.9, FLAGS);
  await drag(page, { ...flag, x: flag.x + 10 }, { ...goal, x: goal.x + 10 });
  await expect.poll(async () => (await markers(page))[0]?.time).toBeCloseTo(0.9, TOLERANCE_SECS);
  expect((await markers(page)).map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  await page.keyboard.press("Control+z");
  await expect.poll(() => markers(page)).toEqual(before);
});

test("clicking a flag moves no marker, even while another edit is pending", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  const before = await markers(page);
  const release = await holdResponses(page, "**/edit");
  const [first, second] = [
    await pointAt(page, before[0]?.time ?? 0, FLAGS),
    await pointAt(page, before[1]?.time ?? 0, FLAGS),
  ];
  const goal = await pointAt(page, 0.9, FLAGS);
  await drag(page, first, goal);
  await page.mouse.click(second.x + 10, second.y);
  release();
  await expect.poll(async () => (await markers(page))[0]?.time).toBeCloseTo(0.9, TOLERANCE_SECS);
  expect((await markers(page)).slice(1)).toEqual(before.slice(1));
  await page.keyboard.press("Control+z");
  await expect.poll(() => markers(page), "one edit").toEqual(before);
});

test("double-clicking the marker lane adds a marker and opens its panel", async ({ view, open }) => {
  const page = await open(await view("--edit"));
  const count = (await markers(page)).length;
  const free = await pointAt(page, 8.5, FLAGS);
  await page.mouse.dblclick(free.x, free.y);
  await expect.poll(async () => (await markers(page)).length).toBe(count + 1);
  expect((await markers(page)).map((marker) => marker.time).some((time) => Math.abs(time - 8.5) < 0.05)).toBe(true);
  expect(await page.evaluate(() => window.holotape.app.state.panel.value)).toBe("markers");
});

test("without --edit flags cannot be moved", async ({ view, open }) => {
  const page = await open(await view());
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const [first] = await markers(page);
  const flag = await pointAt(page, first?.time ?? 0, FLAGS);
  await drag(page, { ...flag, x: flag.x + 10 }, { ...flag, x: flag.x + 200 });
  expect(await time(page), "dragging seeks").toBeGreaterThan(1);
  const free = await pointAt(page, 8.5, FLAGS);
  await page.mouse.dblclick(free.x, free.y);
  expect(requests, "no request").toEqual([]);
});

test("dragging a strip shifts its recording", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  holotape("demo", files[0] as string);
  holotape("demo", files[1] as string, "--seed", "2");
  const page = await open(await view(...files));
  const box = await page.locator(".lane-label", { hasText: "b.bin" }).boundingBox();
  const y = (box?.y ?? 0) + 7;
  const [from, to] = [await pointAt(page, 6), await pointAt(page, 7)];
  await drag(page, { ...from, y }, { ...to, y });
  const offsets = await page.evaluate(() =>
    window.holotape.app.state.recordings.value.map((recording) => recording.offsetSecs),
  );
  expect(offsets[0]).toBe(0);
  expect(offsets[1]).toBeCloseTo(1, TOLERANCE_SECS);
  expect((await shown(page))[1]).toBeCloseTo(13, TOLERANCE_SECS);
});

test("the difference lane follows the alignment of two recordings", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file);
  }
  const page = await open(await view(...files));
  await page.keyboard.press("d");
  const label = await page.locator(".lane-label", { hasText: "Difference" }).boundingBox();
  const tip = page.locator(".hover-tip");
  // Both hands are tracked at 4 s.
  const tooltip = async () => {
    const { x } = await pointAt(page, 4);
    await page.mouse.move(0, 0);
    await page.mouse.move(x, (label?.y ?? 0) + 20);
    return (await tip.isVisible()) ? tip.textContent() : null;
  };
  await expect.poll(tooltip).toBe("0.0 mm mean distance between joints");
  await page.evaluate(() => {
    const { app } = window.holotape;
    const [, b] = app.state.recordings.value;
    if (b !== undefined) {
      app.setOffset(b, 0.1);
    }
  });
  await expect.poll(tooltip).toMatch(/^[1-9]\d*\.\d mm/);
});

test("the difference lane is empty outside either recording", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  holotape("demo", files[0] as string);
  holotape("trim", files[0] as string, files[1] as string, "--from", "3", "--to", "5");
  const page = await open(await view(...files));
  await page.keyboard.press("d");
  const label = await page.locator(".lane-label", { hasText: "Difference" }).boundingBox();
  const tooltipAt = async (seconds: number) => {
    const { x } = await pointAt(page, seconds);
    await page.mouse.move(0, 0);
    await page.mouse.move(x, (label?.y ?? 0) + 20);
    return page.locator(".hover-tip").isVisible();
  };
  await page.evaluate(() => {
    const { app } = window.holotape;
    const [, b] = app.state.recordings.value;
    if (b !== undefined) {
      app.setOffset(b, 3);
    }
  });
  await expect.poll(() => tooltipAt(4.9)).toBe(true);
  // Later columns are computed last.
  await expect(page.locator(".lane-label", { hasText: "Difference" })).toHaveAttribute("aria-busy", "false");
  expect([await tooltipAt(2.8), await tooltipAt(3.5), await tooltipAt(5.2)]).toEqual([false, true, false]);
});

test("a range is limited to the recordings", async ({ folder, view, open }) => {
  const files = ["a.bin", "b.bin"].map((name) => path.join(folder, name));
  for (const file of files) {
    holotape("demo", file);
  }
  const page = await open(await view(...files));
  const rangeAfter = (expected: Span) =>
    page.evaluate((expected) => {
      const { app } = window.holotape;
      const shift = (secs: number) => {
        const [, b] = app.state.recordings.value;
        if (b !== undefined) {
          app.setOffset(b, secs);
        }
      };
      shift(20);
      app.playback.setRange(expected);
      shift(0);
      return app.state.range.value;
    }, expected);
  expect(await rangeAfter([10, 25])).toEqual([10, 12]);
  expect(await rangeAfter([20, 25])).toBeNull();
});

test("clicking a finding seeks to it", async ({ view, open }) => {
  const page = await open(await view(path.join(ROOT, "testdata/valid/mrtk27_rotation_w_lost.bin")));
  const findings = await page.evaluate(() => window.holotape.app.state.active.value?.info.findings ?? []);
  const last = Math.max(...findings.map(({ span_secs }) => span_secs?.[0] ?? 0));
  const label = await page.locator(".lane-label", { hasText: "Findings" }).boundingBox();
  const { x } = await pointAt(page, last);
  await page.mouse.click(x - 3, (label?.y ?? 0) + 7);
  expect(await time(page)).toBeCloseTo(last, 6);
});

test("the time can be typed and is announced to screen readers", async ({ view, open }) => {
  const page = await open(await view());
  const field = page.getByLabel("Time, in seconds");
  await field.fill("0:03,5");
  await field.press("Enter");
  expect(await time(page)).toBe(3.5);
  await expect(page.getByRole("slider", { name: "Time" })).toHaveAttribute("aria-valuetext", "3.50 s");
  await field.fill("7");
  await field.press("Escape");
  await field.fill("tomorrow");
  await field.press("Enter");
  expect(await time(page)).toBe(3.5);
  await expect(field).toHaveValue("0:03.500");
  await seek(page, (await markers(page))[0]?.time ?? 0);
  await expect(page.getByRole("slider", { name: "Time" })).toHaveAttribute("aria-valuetext", /marker left points/);
});

test("the window follows the playhead during playback", async ({ view, open }) => {
  const page = await open(await view());
  await page.evaluate(() => {
    const { app } = window.holotape;
    app.playback.setWindow([2, 2.5]);
    app.playback.seek(2.4);
    app.playback.togglePlay();
  });
  await expect.poll(async () => (await shown(page))[0]).toBeGreaterThan(2.4);
  const [from, to] = await shown(page);
  expect(to - from).toBeCloseTo(0.5, 6);
});
