/**
 * Builds dist/: entry points for Node (ES modules and CommonJS) and browsers, the script for pages, and types. `iwer` stays a dependency; the
 * curve evaluation is bundled.
 */

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
const entry = (name, extension = "js") => ({
  entryPoints: [inside("src", `${name}.ts`)],
  outfile: path.join(dist, `${name}.${extension}`),
});

/** The fixtures import the package's entry point, so that a program has one `RecordingError`. */
const sharedEntryPoint = (extension) => ({
  name: "shared entry point",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/index$/ }, () => ({ path: `./index.${extension}`, external: true })),
});

const node = { ...common, platform: "node", target: "node18" };
const esm = { ...node, format: "esm" };
// CommonJS has no import.meta.
const cjs = {
  ...node,
  format: "cjs",
  define: { "import.meta.url": "moduleUrl" },
  banner: { js: '"use strict";\nconst moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
};
const fixtures = { external: ["@playwright/test"] };
await Promise.all([
  build({ ...esm, ...entry("index") }),
  build({ ...cjs, ...entry("index", "cjs") }),
  build({ ...esm, ...fixtures, ...entry("playwright"), plugins: [sharedEntryPoint("js")] }),
  build({ ...cjs, ...fixtures, ...entry("playwright", "cjs"), plugins: [sharedEntryPoint("cjs")] }),
  build({ ...common, ...entry("browser"), format: "esm", platform: "browser" }),
  build({ ...common, ...entry("page"), format: "cjs", platform: "browser", minify: true }),
]);

// Only these files contain public types, and they import no others. TypeScript takes .d.ts for ES modules and .d.cts for CommonJS.
const types = inside("dist", "types");
const tsc = inside("node_modules", "typescript", "bin", "tsc");
const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", types];
execFileSync(process.execPath, [tsc, "--project", inside("tsconfig.build.json"), ...flags], {
  stdio: "inherit",
  cwd: here,
});
const emitted = path.join(types, "packages/holotape-webxr/src");
for (const from of ["index", "playwright", "types", "read/error"]) {
  const text = readFileSync(path.join(emitted, `${from}.d.ts`), "utf8");
  for (const [declaration, script] of Object.entries({ "d.ts": "js", "d.cts": "cjs" })) {
    const imports = text.replace(/"\.\/(?:read\/)?(error|index|types)"/g, `"./$1.${script}"`);
    writeFileSync(path.join(dist, `${path.basename(from)}.${declaration}`), imports);
  }
}
rmSync(types, { recursive: true });

for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(inside("../..", licence), inside(licence));
}
