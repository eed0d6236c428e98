/** Fixtures that run the holotape program and open its pages. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { test as base, type ConsoleMessage, type Page } from "@playwright/test";
import * as expiry from "../src/expiry";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PROGRAM = process.env.HOLOTAPE ?? path.join(ROOT, "target/debug/holotape");
const MAX_OUTPUT_BYTES = 1 << 30;

/** Runs the program. Returns its standard output. */
export function holotape(...args: readonly string[]): string {
  return execFileSync(PROGRAM, args, { maxBuffer: MAX_OUTPUT_BYTES, stdio: ["ignore", "pipe", "pipe"] }).toString();
}

/** The frames printed by `holotape sample`. */
export function sample<Frame>(file: string, ...args: readonly string[]): Frame[] {
  const lines = holotape("sample", file, "--format", "ndjson", ...args)
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Frame);
}

export interface ViewerProcess {
  readonly address: string;
  readonly process: number;
}

export interface Fixtures {
  /** A temporary folder. */
  readonly folder: string;
  /** Starts `holotape view` in the folder. */
  readonly view: (...args: readonly string[]) => Promise<ViewerProcess>;
  /** Opens a page and waits until it is ready. Errors of the page fail the test. */
  readonly open: (viewing: ViewerProcess | string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), "holotape-"));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  view: async ({ folder }, use) => {
    const servers: ChildProcess[] = [];
    await use(async (...args) => {
      const server = spawn(PROGRAM, ["view", "--no-open", ...args], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
      });
      servers.push(server);
      return { address: await addressOf(server), process: server.pid ?? 0 };
    });
    await Promise.all(servers.map(stop));
  },
  open: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => isError(message) && errors.push(message.text()));
    await preparePage(page);
    await use(async (viewing) => {
      await page.goto(typeof viewing === "string" ? viewing : viewing.address);
      await page.locator("html[data-ready]").waitFor({ state: "attached" });
      return page;
    });
    base.expect(errors).toEqual([]);
  },
});

export { expect } from "@playwright/test";

/** Keeps notices and confirmations, which would disappear too early on a busy machine. */
async function keepElements(page: Page): Promise<void> {
  await page.addInitScript((expiries) => {
    const { setTimeout } = window;
    window.setTimeout = ((callback: TimerHandler, delayMs: number, ...args: unknown[]) =>
      expiries.includes(delayMs) ? 0 : setTimeout(callback, delayMs, ...args)) as typeof window.setTimeout;
  }, Object.values<number>(expiry));
}

/**
 * Prepares a page before it is opened. With `PAGE=dist`, serves the page that `npm run build` wrote to that folder instead of the one built
 * into the program.
 */
export async function preparePage(page: Page): Promise<void> {
  await keepElements(page);
  const folder = process.env.PAGE;
  if (folder !== undefined) {
    for (const file of ["viewer.js", "viewer.css"]) {
      await page.route(`**/${file}`, (route) => route.fulfill({ path: path.join(folder, file) }));
    }
  }
}

/** The page reports rejected requests itself. */
function isError(message: ConsoleMessage): boolean {
  return message.type() === "error" && !/the server responded with a status of 4\d\d/.test(message.text());
}

/** The URL of a path of the server, with the token of its address. */
export function urlOf(address: string, path: string): string {
  const url = new URL(path, address);
  url.searchParams.set("token", new URL(address).searchParams.get("token") ?? "");
  return url.href;
}

export async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) {
    throw new Error("the server prints nowhere");
  }
  for await (const line of createInterface(server.stdout)) {
    const found = /http:\/\/\S+/.exec(line);
    if (found !== null) {
      return found[0];
    }
  }
  throw new Error("holotape view ended without an address");
}

export function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) {
      resolve();
      return;
    }
    server.once("exit", () => resolve());
    server.kill("SIGINT");
  });
}
