/**
 * Playwright fixtures: `page` with a recording, and `replay`, its controller.
 *
 * ```ts
 * import { expect, test } from "holotape-webxr/playwright";
 *
 * test.use({ recording: "press.bin" });
 *
 * test("a hand presses the button", async ({ page, replay }) => {
 *   await page.goto("/");
 *   await page.click("#enter");
 *   await replay.step(144);
 *   await expect(page.locator("#state")).toHaveText("pressed");
 * });
 * ```
 */

import {
  test as base,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { installRecording } from "./index";
import type { InstallOptions, RecordingController, RecordingSource } from "./types";

export { expect } from "@playwright/test";

/** Options for `test.use`, and for `use` in `playwright.config.ts`. */
export interface RecordingOptions {
  /** The recording that `page` replays. A relative path starts at the working directory, as in `installRecording`. */
  recording: RecordingSource | undefined;
  /** Options of `installRecording`. */
  recordingOptions: InstallOptions;
}

export interface RecordingFixtures {
  /** The controller of the recording in `page`. Fails if the option `recording` is not set. */
  replay: RecordingController;
}

const replays = new WeakMap<Page, RecordingController>();

/**
 * Playwright's `test`, with the options `recording` and `recordingOptions`. Without a recording, `page` is Playwright's.
 *
 * ```ts
 * test.use({ recording: "press.bin", recordingOptions: { rate: 90 } });
 * ```
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & RecordingOptions & RecordingFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<RecordingOptions & RecordingFixtures>({
  recording: [undefined, { option: true }],
  recordingOptions: [{}, { option: true }],
  page: async ({ page, recording, recordingOptions }, use) => {
    if (recording !== undefined) {
      replays.set(page, await installRecording(page, recording, recordingOptions));
    }
    await use(page);
  },
  replay: async ({ page }, use) => {
    const replay = replays.get(page);
    if (replay === undefined) {
      throw new Error(
        'no recording to replay: the option `recording` is not set; call test.use({ recording: "take.bin" })',
      );
    }
    await use(replay);
  },
});
