/** Installs the tarball into empty projects and runs the README's tests in a browser. Run `npm run build` first, or name a tarball in TARBALL. */

import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordPress } from "../example/press";
import { HERE, pack } from "./pack";
import { retryOnce } from "./retry";

/** Playwright 1.61 is the last that runs on Node 18; 1.40 is the oldest that the package supports. */
const ENVIRONMENTS = [
  { kind: "commonjs", node: "18.20.8", playwright: "1.40.1" },
  { kind: "module", node: "18.20.8", playwright: "1.61.1" },
  { kind: "commonjs", node: "20.20.2", playwright: "1.65.1" },
  { kind: "module", node: "20.20.2", playwright: "1.65.1" },
] as const;

/** Long, because software draws the pages of eight browsers, and the machine can be busy. */
const TIMEOUT_MS = 900_000;

const README_TESTS = [...readFileSync(`${HERE}/README.md`, "utf8").matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code]) => code,
);
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const CONFIG = `export default {
  reporter: "line",
  workers: 1,
  timeout: 180_000,
  use: {
    baseURL: process.env.BASE_URL,
    launchOptions: {
      executablePath: ${JSON.stringify(CHROMIUM)},
      args: ["--headless=new", "--no-sandbox", "--enable-unsafe-swiftshader"],
    },
  },
};
`;
const LOAD = `
const check = async () => {
  if (typeof test.use !== "function" || typeof expect !== "function") throw new Error("no fixtures");
  const error = await installRecording({ addInitScript() {} }, new Uint8Array(3)).catch((error) => error);
  if (!(error instanceof RecordingError)) throw error;
  console.log(process.versions.node, error.kind);
};
check();
`;
const LOADERS = {
  "load.mjs": `import { installRecording, RecordingError } from "holotape-webxr";
import { expect, test } from "holotape-webxr/playwright";${LOAD}`,
  "load.cjs": `const { installRecording, RecordingError } = require("holotape-webxr");
const { expect, test } = require("holotape-webxr/playwright");${LOAD}`,
};

const MISSING = `import { test } from "holotape-webxr/playwright";
test("replays", async ({ replay }) => replay.step());
`;

const folder = mkdtempSync(path.join(tmpdir(), "holotape-consumer-"));
/** The files of the example, by path. */
const files = new Map<string, { readonly type: string; readonly body: string }>();
const server = createServer(({ url }, response) => {
  const file = files.get(url ?? "/");
  response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.type ?? "text/plain" });
  response.end(file?.body);
});
let tarball: string;

beforeAll(async () => {
  tarball = process.env.TARBALL ?? pack(folder);
  recordPress(folder);
  const main = buildSync({ entryPoints: [`${HERE}/example/main.ts`], bundle: true, format: "esm", write: false });
  files.set("/", { type: "text/html", body: readFileSync(`${HERE}/example/index.html`, "utf8") });
  files.set("/dist/main.js", { type: "text/javascript", body: main.outputFiles[0]?.text ?? "" });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, TIMEOUT_MS);

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

for (const { kind, node, playwright } of ENVIRONMENTS) {
  test(
    `a ${kind} project runs the README's tests on Node ${node} with Playwright ${playwright}`,
    async () => {
      expect(README_TESTS).toHaveLength(2);
      const project = await projectOf(kind, playwright);
      const program = await nodeProgram(node);
      for (const loader of Object.keys(LOADERS)) {
        const [version, error] = (await run(program, [loader], project)).trim().split(" ");
        expect(version).toBe(node);
        expect(error).toBe("not-a-recording");
      }
      const printed = await run(program, ["node_modules/@playwright/test/cli.js", "test", "readme"], project);
      expect(printed).toContain(`${README_TESTS.length} passed`);
      const failing = run(program, ["node_modules/@playwright/test/cli.js", "test", "missing"], project);
      await expect(failing).rejects.toThrow("the option `recording` is not set");
    },
    TIMEOUT_MS,
  );
}

/** An empty project with the package, the recording and the README's tests. */
async function projectOf(kind: "commonjs" | "module", playwright: string): Promise<string> {
  const project = path.join(folder, `${kind}-${playwright}`);
  mkdirSync(project);
  const write = (name: string, content: string) => writeFileSync(path.join(project, name), content);
  write("package.json", JSON.stringify({ private: true, type: kind }));
  write("playwright.config.ts", CONFIG);
  write("missing.spec.ts", MISSING);
  README_TESTS.forEach((code, index) => {
    write(`readme-${index}.spec.ts`, code ?? "");
  });
  for (const [name, code] of Object.entries(LOADERS)) {
    write(name, code);
  }
  copyFileSync(path.join(folder, "press.bin"), path.join(project, "press.bin"));
  await npmInstall(project, "--ignore-scripts", tarball, `@playwright/test@${playwright}`);
  return project;
}

/** The npm package `node` contains a program of that version. */
async function nodeProgram(version: string): Promise<string> {
  const prefix = path.join(folder, `node-${version}`);
  mkdirSync(prefix, { recursive: true });
  writeFileSync(path.join(prefix, "package.json"), "{}");
  await npmInstall(prefix, `node@${version}`);
  return path.join(prefix, "node_modules/node/bin/node");
}

async function npmInstall(cwd: string, ...args: readonly string[]): Promise<void> {
  const npm = ["install", "--prefer-offline", "--no-audit", "--no-fund", ...args];
  await retryOnce(() => execFileSync("npm", npm, { cwd, stdio: "pipe" }));
}

/** Runs a program outside this test run's environment, which Playwright would read. Returns its standard output. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, BASE_URL: `http://127.0.0.1:${port}` };
  const { stdout } = await promisify(execFile)(program, [...args], { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}
