/** Dataset reports: written to disk, and served. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { addressOf, test as base, expect, holotape, PROGRAM, stop, urlOf } from "./holotape";

interface Fixtures {
  /** A dataset of 13 recordings, one of them damaged and one much longer than the others. */
  readonly dataset: string;
  /** The address of its served report. */
  readonly served: string;
}

const test = base.extend<Fixtures>({
  dataset: async ({ folder }, use) => {
    for (let seed = 0; seed < 12; seed++) {
      const participant = path.join(folder, "takes", `p0${(seed % 2) + 1}`);
      mkdirSync(participant, { recursive: true });
      const seconds = seed === 7 ? "20" : "1.5";
      holotape(
        "demo",
        path.join(participant, `take ${seed}.bin`),
        "--no-page",
        "--seconds",
        seconds,
        "--seed",
        `${seed}`,
      );
    }
    writeFileSync(path.join(folder, "takes/p01/<b>junk.bin"), "no recording");
    const out = path.join(folder, "dataset");
    const { status } = spawnSync(PROGRAM, ["dataset", "build", "--quiet", path.join(folder, "takes"), out]);
    expect(status).toBe(3);
    await use(out);
  },
  served: async ({ dataset }, use) => {
    const server: ChildProcess = spawn(PROGRAM, ["report", "--serve", "--no-open", dataset], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await use(await addressOf(server));
    await stop(server);
  },
});

const rows = (page: Page) => page.locator("#recordings tbody tr");

/** Writes a report and opens it from disk. Browser errors fail the test. */
async function openWritten(page: Page, dataset: string): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => errors.push(message.text()));
  const file = path.join(dataset, "../report.html");
  holotape("report", dataset, file);
  await page.goto(`file://${file}`);
  return errors;
}

test("a written report shows all recordings without network requests", async ({ page, dataset }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const errors = await openWritten(page, dataset);
  await expect(page.locator(".cards")).toContainText("13 recordings");
  await expect(page.locator("figure")).toHaveCount(10);
  await expect(page.getByText("Duration: 20.0 s; the middle 50 % are 1.5 to 1.5 s")).toBeVisible();
  await expect(page.getByRole("cell", { name: "p01/<b>junk.bin" }).first()).toBeVisible();
  await expect(rows(page)).toHaveCount(13);
  expect(requests).toHaveLength(1);
  expect(errors).toEqual([]);
});

test("recordings can be sorted and filtered", async ({ page, dataset }) => {
  await openWritten(page, dataset);
  const first = rows(page).first();
  await expect(first).toContainText("p01/<b>junk");
  await page.getByRole("button", { name: "Duration" }).click();
  await expect(first).toContainText("p02/take 7.bin");
  await expect(page.getByRole("columnheader", { name: "Duration" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Duration" }).click();
  await expect(rows(page).last()).toContainText("junk");
  await page.getByRole("searchbox").fill("TAKE 1");
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("combobox").selectOption("broken");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("combobox").selectOption("all");
  await page.getByRole("button", { name: "p02" }).click();
  await expect(rows(page)).toHaveCount(6);
});

test("a written report copies the command that opens a recording", async ({ page, dataset }) => {
  await openWritten(page, dataset);
  const button = rows(page).filter({ hasText: "take 3.bin" }).getByRole("button");
  await button.click();
  await expect(button).toHaveText("Copied");
  const file = path.join(dataset, "../takes/p02/take 3.bin");
  await expect(button).toHaveAttribute("title", `holotape view '${file}'`);
});

test("a report from Windows quotes paths for PowerShell", async ({ page, dataset }) => {
  const file = path.join(dataset, "../report.html");
  holotape("report", dataset, file);
  const report = readFileSync(file, "utf8");
  for (const [name, quoted] of [
    ["it’s 3.bin", '"C:\\takes\\it’s 3.bin"'],
    ["“it’s” 3.bin", "'C:\\takes\\“it’’s” 3.bin'"],
    ["„it's ‘3‚‛.bin", "'C:\\takes\\„it''s ‘‘3‚‚‛‛.bin'"],
  ] as const) {
    const root = JSON.stringify(path.join(dataset, "../takes/"));
    writeFileSync(file, report.replaceAll(root, '"C:\\\\takes\\\\"').replaceAll("p02/take 3.bin", name));
    await page.goto(`file://${file}`);
    const button = rows(page).filter({ hasText: name }).getByRole("button");
    await button.click();
    await expect(button).toHaveAttribute("title", `holotape view ${quoted}`);
  }
});

test("a report fits the width of a phone", async ({ page, dataset }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await openWritten(page, dataset);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
});

test("a recording of a served report opens in the viewer", async ({ page, served }) => {
  const errors: string[] = [];
  page.on("console", (message) => errors.push(message.text()));
  await page.goto(served);
  const opening = page.waitForEvent("popup");
  await rows(page).getByRole("link", { name: "p02/take 3.bin" }).click();
  const viewer = await opening;
  await viewer.locator("html[data-ready]").waitFor({ state: "attached" });
  await expect(viewer.locator("body")).toContainText("p02/take 3.bin");
  const another = page.waitForEvent("popup");
  await rows(page).getByRole("link", { name: "p01/take 4.bin" }).click();
  const other = await another;
  await other.locator("html[data-ready]").waitFor({ state: "attached" });
  await expect(other.locator("body")).toContainText("p01/take 4.bin");
  await expect(other.locator("body")).not.toContainText("take 3.bin");
  expect(errors).toEqual([]);
});

test("only recordings of the dataset can be opened", async ({ page, served }) => {
  await page.goto(urlOf(served, "/?recording=../../etc/passwd"));
  await expect(page.locator("body")).toContainText('unknown recording "../../etc/passwd"');
});
