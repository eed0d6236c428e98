/** The example of the README, as it stands there. */

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

// It names the recording without a folder.
test.beforeAll(() => {
  recordPress(folder);
  process.chdir(folder);
});

test.afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, example] = /```ts\n(import \{ expect, test \}.*?)```/s.exec(readme) ?? [];
if (example === undefined) {
  throw new Error("the README has no example that begins with Playwright's test");
}
const { code } = transformSync(example.replace(/^import .*\n/gm, ""), { loader: "ts" });
// Playwright asks for the file that a test is declared in, and would find none for code that was read.
const declare = (title: string, body: Parameters<typeof test>[2]) => test(title, body);
new Function("test", "expect", "installRecording", code)(declare, expect, installRecording);
