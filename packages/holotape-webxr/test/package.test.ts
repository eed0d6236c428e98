/** The package as published. Run `npm run build` first. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { HERE, pack } from "./pack";

const text = (name: string) => readFileSync(`${HERE}/${name}`, "utf8");
const entryPoints = ["index", "playwright"];

test("the package contains its code and licences only", () => {
  const npm = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [dryRun] = JSON.parse(execFileSync("npm", npm, { cwd: HERE, stdio: ["ignore", "pipe", "ignore"] }).toString());
  expect(dryRun.files.map(({ path }: { path: string }) => path).sort()).toEqual([
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "dist/browser.js",
    "dist/error.d.cts",
    "dist/error.d.ts",
    "dist/index.cjs",
    "dist/index.d.cts",
    "dist/index.d.ts",
    "dist/index.js",
    "dist/page.js",
    "dist/playwright.cjs",
    "dist/playwright.d.cts",
    "dist/playwright.d.ts",
    "dist/playwright.js",
    "dist/types.d.cts",
    "dist/types.d.ts",
    "package.json",
  ]);
});

test("the bundle imports iwer and includes the curve evaluation", () => {
  expect(text("dist/browser.js")).toMatch(/from "iwer"/);
  expect(text("dist/page.js")).toMatch(/require\("iwer"\)/);
  for (const name of ["dist/browser.js", "dist/page.js"]) {
    expect(text(name)).not.toMatch(/Immersive Web Emulation Runtime|gl-matrix/);
    expect(text(name).length).toBeLessThan(100_000);
  }
  expect(text("dist/browser.js")).toContain("bezierParameter");
  expect(text("dist/index.js")).not.toMatch(/from "(?!node:)/);
  expect(text("dist/index.cjs")).not.toMatch(/require\("(?!node:)/);
});

test("the fixtures import the entry point of the same module system", () => {
  const imports = (name: string) => [...text(name).matchAll(/(?:from |require\()"([^"]+)"/g)].map(([, from]) => from);
  expect(new Set(imports("dist/playwright.js"))).toEqual(new Set(["@playwright/test", "./index.js"]));
  expect(new Set(imports("dist/playwright.cjs"))).toEqual(new Set(["node:url", "@playwright/test", "./index.cjs"]));
});

/** Runs the type checker on a folder of `test`. Returns what it prints. */
function typeErrors(project: string): string {
  const tsc = `${HERE}/node_modules/typescript/bin/tsc`;
  const args = [tsc, "--pretty", "false", "--project", `${HERE}/test/${project}`];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

test("the fixtures have types for ES modules and CommonJS", () => {
  expect(typeErrors("types/fixtures")).toBe("");
});

test("the types do not need those of a browser", () => {
  expect(typeErrors("types")).toBe("");
  for (const name of [...entryPoints, "types", "error"]) {
    expect(text(`dist/${name}.d.ts`)).not.toMatch(/web\/src|\.\.\//);
    expect(text(`dist/${name}.d.cts`)).not.toMatch(/web\/src|\.\.\/|from "\.\/\w+(\.js)?"/);
  }
});

test("the tarball resolves for every kind of import, with types", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "holotape-pack-"));
  try {
    const tarball = pack(folder);
    const run = (tool: string, ...args: string[]) =>
      execFileSync(process.execPath, [`${HERE}/node_modules/${tool}`, ...args], { stdio: "pipe" }).toString();
    const types = JSON.parse(run("@arethetypeswrong/cli/dist/index.js", tarball, "--format", "json"));
    expect(types.analysis.problems).toEqual([]);
    expect(Object.keys(types.analysis.entrypoints)).toEqual([".", "./playwright", "./package.json"]);
    expect(run("publint/src/cli.js", tarball, "--strict", "--level", "warning")).toContain("All good!");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the README links to web addresses and to itself only", () => {
  const links = [...text("README.md").matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !/^(https:|#)/.test(link ?? ""))).toEqual([]);
});

test("the lock file contains no download addresses", () => {
  expect(text("package-lock.json")).not.toContain('"resolved"');
});
