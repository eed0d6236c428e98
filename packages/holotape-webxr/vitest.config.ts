import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

/** No test is about time; a machine may be busy. */
const TIMEOUT_MS = 120_000;

/** Two sorts of tests: those of plain code in Node, and those of a page that installs a recording by itself, in a real browser. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "node", include: ["test/*.test.ts"], testTimeout: TIMEOUT_MS } },
      {
        // As somebody who installed the package gets it.
        resolve: { alias: { "holotape-webxr": fileURLToPath(new URL("dist/browser.js", import.meta.url)) } },
        test: {
          name: "browser",
          testTimeout: TIMEOUT_MS,
          include: ["test/browser/*.test.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
                args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
              },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
