/** Recording and watching takes with the real server and an emulated headset. */

import { readdirSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import {
  frames,
  nextFrame,
  openWithHeadset,
  type RecordedFrame,
  record,
  waitForFrames,
  waitForMoreFrames,
  waitForSecs,
  waitForServerFrames,
} from "./headset";
import { expect, holotape, preparePage, test } from "./holotape";
import { InterruptibleProxy } from "./interruptible-proxy";
import { distance, expectSameMotion, timesOf } from "./motion-comparison";
import { framesWithin, names, settle } from "./page";

// A small viewport has a higher frame rate without a GPU.
test.use({ viewport: { width: 900, height: 560 } });

test("a recorded take contains the motion of the headset and five pinches", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await page.evaluate(() => {
    window.headset.pinches = [20, 60, 100, 140, 180].map((from) => [from, from + 20] as const);
  });
  await record(page);
  await waitForFrames(page, 110);
  const before = await nextFrame(page);
  await page.getByRole("textbox", { name: "Marker name" }).fill("half way");
  await page.getByRole("button", { name: "Add marker" }).click();
  const after = await nextFrame(page);
  await waitForFrames(page, 220);
  const recorded = await stop(page);

  const file = onlyTake(folder);
  await expect(page.getByRole("status")).toContainText(`Saved as ${path.basename(file)}`);
  expect(await names(page)).toEqual(["demo.bin", path.basename(file)]);
  expectSameMotion(recorded, file);
  const info = JSON.parse(holotape("info", file, "--json"));
  expect([info.body_parts.left.pinch_count, info.body_parts.right.pinch_count]).toEqual([0, 5]);
  expect(info.markers).toEqual([{ time: expect.any(Number), name: "half way" }]);
  const marked = info.markers[0].time + (recorded[0]?.timeMs ?? 0) / 1000;
  expect([before - 0.1 < marked, marked < after + 0.1], `${before}, ${marked}, ${after}`).toEqual([true, true]);
  expect(JSON.parse(holotape("check", file, "--json")).findings).toEqual([]);
  expect(journals(folder)).toEqual([]);
});

test("a network outage of two seconds loses no frame", async ({ browser, folder, view }) => {
  const { address } = await view();
  const proxy = await InterruptibleProxy.start(portOf({ address }));
  const context = await browser.newContext({ proxy: { server: proxy.address, bypass: "<-loopback>" } });
  const page = await context.newPage();
  await openWithHeadset(page, address);
  await record(page);
  await waitForSecs(page, 2);
  proxy.interrupt();
  await waitForSecs(page, 3);
  await expect(connection(page)).toContainText("no connection");
  await waitForSecs(page, 4);
  await expect.poll(() => proxy.refusedCount).toBeGreaterThan(0);
  proxy.restore();
  await expect(connection(page)).toHaveText("connected");
  await waitForSecs(page, 6);
  const recorded = await stop(page);
  expectSameMotion(recorded, onlyTake(folder));
  expect(journals(folder)).toEqual([]);
  await context.close();
  await proxy.stop();
});

test("a take continues after the server is killed, and its journal is recoverable", async ({
  browser,
  folder,
  view,
}) => {
  // The page stays authorized if the next server has the same token.
  const token = ["--token", "token-of-both-servers"] as const;
  const first = await view(...token);
  const proxy = await InterruptibleProxy.start(portOf(first));
  const context = await browser.newContext({ proxy: { server: proxy.address, bypass: "<-loopback>" } });
  const page = await context.newPage();
  await openWithHeadset(page, first.address);
  await page.getByRole("textbox", { name: "Name of the next take" }).fill("left hand");
  await record(page);
  await waitForServerFrames(page, 5);
  const acknowledged = await page.evaluate(() => {
    const { frames = 0, unacknowledged = 0 } = window.holotape.recorder?.status.value ?? {};
    return frames - unacknowledged;
  });
  process.kill(first.process, "SIGKILL");
  await expect(connection(page)).toContainText("no connection");
  await waitForMoreFrames(page);
  proxy.forwardTo(portOf(await view(...token)));
  await expect(connection(page)).toHaveText("connected");
  const journal = "left hand.journal";
  expect(journals(folder)).toContain(journal);
  await expect(page.getByRole("alert")).toContainText(`holotape repair '${path.join(folder, journal)}' part.bin`);
  await waitForServerFrames(page, 5);
  const recorded = await stop(page);

  const part = path.join(folder, "part.bin");
  const rest = onlyTake(folder);
  holotape("repair", path.join(folder, journal), part);
  const [before, after] = [timesOf(part).length, timesOf(rest).length];
  expect(acknowledged).toBeGreaterThan(5);
  expect(before).toBeGreaterThanOrEqual(acknowledged);
  // Frames sent before the crash can be in both files, but none is missing.
  expect(before + after).toBeGreaterThanOrEqual(recorded.length);
  expectSameMotion(recorded.slice(0, before), part);
  expectSameMotion(recorded.slice(recorded.length - after), rest);
  await context.close();
  await proxy.stop();
});

test("a stopped server saves the take and notifies the page", async ({ page, folder, view }) => {
  const { address, process: server } = await view();
  await openWithHeadset(page, address);
  await record(page);
  await waitForServerFrames(page, 5);
  process.kill(server, "SIGINT");
  await expect(page.getByRole("region", { name: "Recording" })).toBeHidden();
  await expect(page.getByRole("alert").first()).toContainText("The server ended the take");
  // An ended session has no input sources.
  expect(await page.evaluate(() => window.headset.session?.inputSources.length)).toBe(0);
  const saved = timesOf(onlyTake(folder)).length;
  const recorded = await page.evaluate(() => window.holotape.recorder?.frameCount ?? 0);
  expect(saved).toBeGreaterThan(5);
  expect(saved).toBeLessThanOrEqual(recorded);
});

test("another page watches a live take and opens it once saved", async ({ page, context, view }) => {
  const { address } = await view();
  const other = await context.newPage();
  await preparePage(other);
  await other.goto(address);
  await other.locator("html[data-ready]").waitFor({ state: "attached" });
  const live = other.getByRole("region", { name: "Live takes" });
  await expect(live).toBeHidden();

  await openWithHeadset(page, address);
  await record(page);
  await expect(live.getByText("LIVE")).toBeVisible();
  await expect(other.locator(".scene-hud .live-mark")).toBeVisible();
  // The recording page does not list its own take.
  await expect(page.getByRole("region", { name: "Live takes" })).toBeHidden();
  const first = await drawnAndRecorded(other, page);
  await expect.poll(async () => distance(first, await drawnAndRecorded(other, page))).toBeGreaterThan(0.01);

  await live.getByRole("button", { name: /^Hide/ }).click();
  await expect(other.locator(".scene-hud .live-mark")).toBeHidden();
  await live.getByRole("button", { name: /^Watch/ }).click();
  await expect(other.locator(".scene-hud .live-mark")).toBeVisible();
  await stop(page);
  await expect(live).toBeHidden();
  await expect.poll(() => names(other)).toEqual(await names(page));
  expect(await names(other)).toHaveLength(2);
  // The watching page activates the saved take.
  const active = () => other.evaluate(() => window.holotape.app.state.active.value?.info.name);
  await expect.poll(active).toBe((await names(page))[1]);
});

test("an idle page has one silent connection", async ({ page, view }) => {
  const opened: string[] = [];
  let messages = 0;
  page.on("websocket", (socket) => {
    opened.push(new URL(socket.url()).pathname);
    socket.on("framereceived", () => {
      messages += 1;
    });
  });
  await openWithHeadset(page, (await view()).address);
  await expect.poll(() => messages).toBe(1);
  await settle(page);
  const drawn = await framesWithin(page, 100);
  expect([opened, messages, drawn]).toEqual([["/api/live"], 1, 0]);
});

test("a discarded take leaves no file", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await record(page);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("region", { name: "Recording" })).toBeVisible();
  await page.getByRole("button", { name: "Really discard?" }).click();
  await expect(page.getByRole("region", { name: "Recording" })).toBeHidden();
  await expect(page.getByRole("status")).toContainText("discarded");
  expect(readdirSync(folder)).toEqual([]);
  expect(await names(page)).toEqual(["demo.bin"]);
  await record(page);
  await waitForSecs(page, 1);
  expectSameMotion(await stop(page), onlyTake(folder));
  await page.getByRole("button", { name: `Close ${path.basename(onlyTake(folder))}` }).click();
  await expect.poll(() => names(page)).toEqual(["demo.bin"]);
  // The file still exists.
  onlyTake(folder);
});

test("a take gets the name that was typed before", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await page.getByRole("textbox", { name: "Name of the next take" }).fill(" grasping a cup ");
  await record(page);
  await expect(page.getByRole("region", { name: "Recording" })).toContainText("saves as grasping a cup.bin");
  await stop(page);
  expect(path.basename(onlyTake(folder))).toBe("grasping a cup.bin");
});

test("a take is saved when its XR session ends, and leaving earlier asks", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await record(page);
  const dialogShown = page.waitForEvent("dialog").then((dialog) => dialog.dismiss());
  await page.evaluate(() => setTimeout(() => location.reload()));
  await dialogShown;
  await waitForServerFrames(page, 2);
  await page.evaluate(() => window.headset.session?.end());
  await expect(page.getByRole("region", { name: "Recording" })).toBeHidden();
  expect(timesOf(onlyTake(folder)).length).toBeGreaterThan(2);
});

test("a lost hand is untracked until it returns", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await record(page);
  for (const [secs, isTracked] of [
    [1, false],
    [2, true],
  ] as const) {
    await waitForSecs(page, secs);
    await page.evaluate((isTracked) => {
      const { left } = window.headset.device.hands;
      if (left !== undefined) {
        left.connected = isTracked;
      }
    }, isTracked);
    await waitForMoreFrames(page);
  }
  const recorded = await stop(page);
  const file = onlyTake(folder);
  expectSameMotion(recorded, file);
  const info = JSON.parse(holotape("info", file, "--json"));
  expect([info.body_parts.left.tracked_span_count, info.body_parts.right.tracked_span_count]).toEqual([2, 1]);
});

test("a hidden session pauses the take, and recentring adds a marker", async ({ page, folder, view }) => {
  await openWithHeadset(page, (await view()).address);
  await record(page);
  await waitForSecs(page, 1);
  const bar = page.getByRole("region", { name: "Recording" });
  await page.evaluate(() => window.headset.device.updateVisibilityState("hidden"));
  await expect(bar).toContainText("Paused");
  await page.evaluate(() => window.headset.device.updateVisibilityState("visible"));
  await expect(bar).toContainText("REC");
  await page.evaluate(() => window.headset.device.recenter());
  await expect
    .poll(() => page.evaluate(() => window.holotape.recorder?.status.value?.lastMarker?.name))
    .toBe("view recentred");
  await bar.getByRole("button", { name: "Stop" }).click();
  await expect(bar).toBeHidden();
  const info = JSON.parse(holotape("info", onlyTake(folder), "--json"));
  expect(info.body_parts.left.tracked_span_count).toBe(2);
});

test("a page that cannot record shows the reason", async ({ page, browser, view }) => {
  const { address } = await view();
  await preparePage(page);
  await page.goto(address);
  await page.getByRole("button", { name: "Record with the headset" }).click();
  await expect(page.getByRole("alert")).toContainText("No headset connected");
  const insecure = await browser.newPage();
  await preparePage(insecure);
  await insecure.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await insecure.goto(address);
  await insecure.getByRole("button", { name: "Record with the headset" }).click();
  await expect(insecure.getByRole("alert")).toContainText("WebXR needs https. Start holotape view --lan");
  await insecure.close();
});

/** Stops the take and waits until it is shown. Returns the frames that were recorded. */
async function stop(page: Page): Promise<RecordedFrame[]> {
  await page.waitForFunction(() => (window.holotape.recorder?.frameCount ?? 0) > 5);
  await page.getByRole("region", { name: "Recording" }).getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("region", { name: "Recording" })).toBeHidden();
  await expect.poll(async () => (await names(page)).length).toBe(2);
  const count = await page.evaluate(() => window.holotape.recorder?.frameCount ?? 0);
  // The recorder starts a few frames after the session.
  return (await frames(page)).slice(-count);
}

/** Where another page draws the left index tip of a live take, after checking it against the recorded frames. */
async function drawnAndRecorded(other: Page, page: Page): Promise<readonly number[]> {
  const drawn = await other.evaluate(async () => {
    const { app, scene } = window.holotape;
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const drawn = scene.drawn(app.state.watchedTakes.value[0]?.info.id ?? 0, "left.IndexTip");
      if (drawn) {
        return drawn;
      }
    }
  });
  const tips = (await frames(page)).flatMap(({ left }) => left?.indexTip ?? []);
  const positions = Array.from({ length: tips.length / 7 }, (_, n) => tips.slice(7 * n, 7 * n + 3));
  const nearest = Math.min(...positions.map(([x = 0, y = 0, z = 0]) => distance([x, y, -z], drawn)));
  expect(nearest).toBeLessThan(1e-4);
  return drawn;
}

function portOf({ address }: { readonly address: string }): number {
  return Number(new URL(address).port);
}

function connection(page: Page): Locator {
  return page.getByRole("region", { name: "Recording" }).locator(".live-connection");
}

/** The only recorded file in a folder. */
function onlyTake(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith(".bin") && name !== "part.bin");
  expect(files).toHaveLength(1);
  return path.join(folder, files[0] ?? "");
}

function journals(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(".journal"));
}
