/** Builds dist/: entry points for Node and browsers, the script for pages, and types. `iwer` stays a dependency; the curve evaluation is bundled. */

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const inside = (...names) => path.join(here, ...names);
const dist = inside("dist");
rmSync(dist, { recursive: true, force: true });

const common = { bundle: true, external: ["iwer"], target: "es2022", legalComments: "none", logLevel: "warning" };
const entry = (name) => ({ entryPoints: [inside("src", `${name}.ts`)], outfile: path.join(dist, `${name}.js`) });
await Promise.all([
  build({ ...common, ...entry("index"), format: "esm", platform: "node", target: "node18" }),
  build({ ...common, ...entry("browser"), format: "esm", platform: "browser" }),
  build({ ...common, ...entry("page"), format: "cjs", platform: "browser", minify: true }),
]);

// Only these files contain public types, and they import no others.
const types = inside("dist", "types");
const tsc = inside("node_modules", "typescript", "bin", "tsc");
const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", types];
execFileSync(process.execPath, [tsc, "--project", inside("tsconfig.build.json"), ...flags], {
  stdio: "inherit",
  cwd: here,
});
const emitted = path.join(types, "packages/holotape-webxr/src");
for (const [from, to] of [
  ["index", "index"],
  ["types", "types"],
  ["read/error", "error"],
]) {
  const text = readFileSync(path.join(emitted, `${from}.d.ts`), "utf8").replaceAll('"./read/error"', '"./error.js"');
  writeFileSync(path.join(dist, `${to}.d.ts`), text.replaceAll('"./types"', '"./types.js"'));
}
rmSync(types, { recursive: true });

for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(inside("../..", licence), inside(licence));
}
