/** The package as published. Run `npm run build` first. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL("..", import.meta.url));
const text = (name: string) => readFileSync(`${here}/${name}`, "utf8");

test("the package contains its code and licences only", () => {
  const npm = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [pack] = JSON.parse(execFileSync("npm", npm, { cwd: here, stdio: ["ignore", "pipe", "ignore"] }).toString());
  expect(pack.files.map(({ path }: { path: string }) => path).sort()).toEqual([
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "dist/browser.js",
    "dist/error.d.ts",
    "dist/index.d.ts",
    "dist/index.js",
    "dist/page.js",
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
});

test("the types do not need those of a browser", () => {
  const tsc = `${here}/node_modules/typescript/bin/tsc`;
  const run = () =>
    execFileSync(process.execPath, [tsc, "--project", `${here}/test/types`], { stdio: "pipe" }).toString();
  expect(run()).toBe("");
  expect(["index", "types", "error"].map((name) => text(`dist/${name}.d.ts`)).join()).not.toMatch(/web\/src|\.\.\//);
});

test("the lock file contains no download addresses", () => {
  expect(text("package-lock.json")).not.toContain('"resolved"');
});
