/** Helpers that read and control the page. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page, type Route } from "@playwright/test";
import type { App } from "../src/app";
import type { HeadsetRecorder } from "../src/live/recorder";
import type { SceneView } from "../src/scene";

declare global {
  interface Window {
    holotape: { readonly app: App; readonly scene: SceneView; readonly recorder: HeadsetRecorder | null };
  }
}

export function time(page: Page): Promise<number> {
  return page.evaluate(() => window.holotape.app.state.time.value);
}

export function isPlaying(page: Page): Promise<boolean> {
  return page.evaluate(() => window.holotape.app.state.playing.value);
}

/** Seeks and waits until the frame is drawn. */
export async function seek(page: Page, seconds: number): Promise<void> {
  await page.evaluate(async (to) => {
    const { app } = window.holotape;
    app.playback.setPlaying(false);
    app.playback.seek(to);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, seconds);
}

/** Waits until the scene is drawn at full resolution and no longer redrawn. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { scene } = window.holotape;
    do {
      // A change requests a redraw at the latest in the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    } while (!scene.isIdle);
  });
}

/** Counts the frames that the scene draws during a number of browser frames. */
export function framesWithin(page: Page, frames: number): Promise<number> {
  return page.evaluate(async (frames) => {
    const { scene } = window.holotape;
    const before = scene.framesDrawn;
    for (let n = 0; n < frames; n++) {
      await new Promise(requestAnimationFrame);
    }
    return scene.framesDrawn - before;
  }, frames);
}

/** The markers of the active recording. */
export function markers(page: Page): Promise<{ time: number; name: string }[]> {
  return page.evaluate(() => {
    const markers = window.holotape.app.state.active.value?.info.markers ?? [];
    return markers.map(({ time, name }) => ({ time, name }));
  });
}

/**
 * Intercepts requests, also if the page is open already: then, requests can reach the server for some time after `page.route` resolves.
 */
export async function intercept(page: Page, path: string, handler: (route: Route) => unknown): Promise<void> {
  await page.route(path, handler);
  if (page.url() !== "about:blank") {
    const probe = "/is-intercepted";
    await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }));
    await expect.poll(() => page.evaluate(async (probe) => (await fetch(probe)).status, probe)).toBe(204);
  }
}

/** Delays responses until the returned function is called. The server handles the requests immediately. */
export async function holdResponses(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, path, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  return release;
}

/** Drops files on the page. */
export async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const contents = files.map((file) => ({ name: path.basename(file), base64: readFileSync(file).toString("base64") }));
  await page.evaluate((contents) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of contents) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    }
    for (const kind of ["dragenter", "dragover", "drop"]) {
      document.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, contents);
}

/** The names of the open recordings. */
export function names(page: Page): Promise<string[]> {
  return page.evaluate(() => window.holotape.app.state.recordings.value.map((recording) => recording.info.name));
}
