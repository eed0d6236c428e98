/** Pages for recordings, without a server. Errors of a page fail the test. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { test as base, expect } from "holotape-webxr/playwright";

const EXAMPLE = fileURLToPath(new URL("../example", import.meta.url));
export const EXAMPLE_PAGE = "https://example.test/";
export const RAW_PAGE = "https://raw.test/";

export interface Fixtures {
  /** A temporary folder. */
  readonly folder: string;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), "holotape-webxr-"));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await serve(page, EXAMPLE_PAGE, EXAMPLE);
    await serve(page, RAW_PAGE, fileURLToPath(new URL("raw", import.meta.url)));
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };

async function serve(page: Page, address: string, folder: string): Promise<void> {
  await page.route(`${address}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    if (name === "favicon.ico") {
      await route.fulfill({ status: 204 });
      return;
    }
    const contentType = name.endsWith(".js") ? "text/javascript" : "text/html";
    await route.fulfill({ contentType, body: readFileSync(path.join(folder, name)) });
  });
}
