/** What tests ask the page for, and do to it. */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import type { App } from "../src/app";
import type { HeadsetRecorder } from "../src/live/recorder";
import type { SceneView } from "../src/scene/scene-view";

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

/** Goes to a time and waits until that is on screen. */
export async function seek(page: Page, seconds: number): Promise<void> {
  await page.evaluate(async (to) => {
    const { app } = window.holotape;
    app.playback.setPlaying(false);
    app.playback.seek(to);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, seconds);
}

/** Waits until the scene is still: drawn sharp, and not again. In the page, where timers go off in order however busy it is. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { scene } = window.holotape;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    for (let drawn = -1; drawn !== scene.framesDrawn; ) {
      drawn = scene.framesDrawn;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  });
}

/** The markers of the active take, as the page has them. */
export function markers(page: Page): Promise<{ time: number; name: string }[]> {
  return page.evaluate(() => {
    const markers = window.holotape.app.state.active.value?.info.markers ?? [];
    return markers.map(({ time, name }) => ({ time, name }));
  });
}

/** Holds answers to a request back until they are let go: what the server did is done. */
export async function holdAnswers(page: Page, path: string): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  return letGo;
}

/** Drops files on the page, as a file manager does. */
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

/** The names of the takes, in their order. */
export function names(page: Page): Promise<string[]> {
  return page.evaluate(() => window.holotape.app.state.recordings.value.map((take) => take.info.name));
}
