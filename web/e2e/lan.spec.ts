/** Pairing of devices on the local network. */

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, PROGRAM, stop, test } from "./holotape";

interface Serving {
  readonly address: string;
  /** The current pairing code. */
  readonly code: () => string;
}

/** For the certificate and the paired devices. */
const stateFolder = mkdtempSync(path.join(tmpdir(), "holotape-state-"));
test.afterAll(() => rmSync(stateFolder, { recursive: true }));

const servers: ChildProcess[] = [];
const contexts: BrowserContext[] = [];

test.afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  await Promise.all(servers.splice(0).map(stop));
});

async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const server = spawn(PROGRAM, ["view", "--lan", "--port", "0", ...args], {
    env: { ...process.env, XDG_STATE_HOME: stateFolder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(server);
  const lines: string[] = [];
  createInterface(server.stdout).on("line", (line) => lines.push(line));
  await expect.poll(() => lines.some((line) => line.includes("Ctrl-C"))).toBe(true);
  const port = /^https:\/\/.+:(\d+)\/$/m.exec(lines.join("\n"))?.[1];
  const codes = () => lines.flatMap((line) => /^(?:new code: )?(\d[\d ]+\d)(?: |$)/.exec(line)?.[1] ?? []);
  return { address: `https://localhost:${port}/`, code: () => codes().at(-1) ?? "" };
}

/** Opens the pairing page in a separate browser context. */
async function visit(newContext: () => Promise<BrowserContext>, address: string): Promise<Page> {
  const context = await newContext();
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const TITLE = { name: "Enter the pairing code" } as const;

test("the pairing code on the terminal admits one browser", async ({ browser }) => {
  const newContext = () => browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 720 } });
  const { address, code } = await serve(["--no-open"]);
  // An address typed without a scheme uses http.
  const headset = await visit(newContext, address.replace("https:", "http:"));
  expect(headset.url()).toBe(address);
  await expect(headset.getByRole("heading", TITLE)).toBeVisible();
  const first = code();
  for (const digit of first.replace(" ", "")) {
    await headset.getByRole("button", { name: digit, exact: true }).click();
  }
  await expect(headset.getByRole("textbox", { name: "Code" })).toHaveValue(first);
  await headset.getByRole("button", { name: "Pair" }).click();
  await headset.locator("html[data-ready]").waitFor({ state: "attached" });
  expect(await headset.evaluate(() => window.isSecureContext)).toBe(true);
  expect(headset.url()).toBe(address);

  const other = await visit(newContext, address);
  await expect(other.getByRole("heading", TITLE)).toBeVisible();
  await other.keyboard.type(first);
  await other.keyboard.press("Enter");
  await expect(other.getByRole("status")).toHaveText("Wrong or expired code.");
  await expect(other.getByRole("textbox", { name: "Code" })).toHaveValue("");
  await other.reload();
  await expect(other.getByRole("heading", TITLE)).toBeVisible();
  await expect.poll(code).not.toBe(first);
  await other.keyboard.type(code().replace(" ", ""));
  await other.keyboard.press("Enter");
  await other.locator("html[data-ready]").waitFor({ state: "attached" });

  await headset.reload();
  await headset.locator("html[data-ready]").waitFor({ state: "attached" });
});

test("repeated wrong codes are delayed", async ({ browser }) => {
  const { address, code } = await serve(["--no-open"]);
  const page = await visit(() => browser.newContext({ ignoreHTTPSErrors: true }), address);
  const wrong = code() === "000 000" ? "111 111" : "000 000";
  const pair = page.getByRole("button", { name: "Pair" });
  // Polls from the start, because the message is shown for 2 s only.
  const waiting = page.waitForFunction(() => {
    const status = document.querySelector("[role=status]")?.textContent ?? "";
    const buttons = [...document.querySelectorAll("button")];
    return /Wait \d s/.test(status) && buttons.some((button) => button.textContent === "Pair" && button.disabled);
  });
  for (let tries = 0; tries < 3; tries++) {
    await expect(pair).toBeEnabled();
    await page.getByRole("textbox", { name: "Code" }).fill(wrong);
    await pair.click();
    await expect(page.getByRole("status")).toContainText("Wrong or expired code");
  }
  await waiting;
  await expect(pair).toBeEnabled();
  await page.getByRole("textbox", { name: "Code" }).fill(code());
  await pair.click();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
});

test("the browser opened by holotape needs no code", async ({ browser, folder }) => {
  const opened = path.join(folder, "opened");
  const opener = path.join(folder, "xdg-open");
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`);
  chmodSync(opener, 0o755);
  const { address } = await serve([], { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0" });
  await expect.poll(() => existsSync(opened)).toBe(true);
  const url = readFileSync(opened, "utf8");
  expect(url.startsWith(`${address}?token=`)).toBe(true);
  const newContext = () => browser.newContext({ ignoreHTTPSErrors: true });
  const page = await visit(newContext, url);
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  expect(page.url(), "not in the address bar").toBe(address);
  const other = await visit(newContext, address);
  await expect(other.getByRole("heading", TITLE)).toBeVisible();
});
