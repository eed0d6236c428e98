/** Runs the Playwright tests of README, reference and guide unchanged. */

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
const declare = Object.assign((title: string, body: Parameters<typeof test>[2]) => test(title, body), {
  use: (options: Parameters<typeof test.use>[0]) => test.use(options),
});
for (const page of ["../README.md", "../../../docs/webxr.md", "../../../docs/guides/test-xr-apps.md"]) {
  const markdown = readFileSync(new URL(page, import.meta.url), "utf8");
  const examples = [...markdown.matchAll(/```ts\n(import \{ expect, test \}.*?)```/gs)].map(([, code]) => code ?? "");
  if (examples.length === 0) {
    throw new Error(`${page} has no Playwright test`);
  }
  examples.forEach((example, index) => {
    const { code } = transformSync(example.replace(/^import .*\n/gm, ""), { loader: "ts" });
    test.describe(`${page} ${index + 1}`, () => {
      new Function("test", "expect", "installRecording", code)(declare, expect, installRecording);
    });
  });
}
