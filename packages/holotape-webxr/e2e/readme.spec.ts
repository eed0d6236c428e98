/** Runs the Playwright tests of README and guide unchanged. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transformSync } from "esbuild";
import { installRecording } from "holotape-webxr";
import { recordPress } from "../example/press";
import { EXAMPLE_PAGE, expect, test } from "./fixtures";

test.use({ baseURL: EXAMPLE_PAGE });

const folder = mkdtempSync(path.join(tmpdir(), "holotape-readme-"));
const home = process.cwd();

// The examples name the recording without a folder.
test.beforeAll(() => {
  recordPress(folder);
  process.chdir(folder);
});

test.afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

// Playwright requires the file in which a test is declared, and would find none for evaluated code.
const declare = (title: string, body: Parameters<typeof test>[2]) => test(title, body);
for (const page of ["../README.md", "../../../docs/guides/test-xr-apps.md"]) {
  const markdown = readFileSync(new URL(page, import.meta.url), "utf8");
  const [, example] = /```ts\n(import \{ expect, test \}.*?)```/s.exec(markdown) ?? [];
  if (example === undefined) {
    throw new Error(`${page} has no Playwright test`);
  }
  const { code } = transformSync(example.replace(/^import .*\n/gm, ""), { loader: "ts" });
  new Function("test", "expect", "installRecording", code)(declare, expect, installRecording);
}
