import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

/** Long, because the machine can be busy. */
const TIMEOUT_MS = 120_000;

/** Tests of plain code in Node, and of a page in a real browser. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "node", include: ["test/*.test.ts"], testTimeout: TIMEOUT_MS } },
      {
        // The package as installed by a user.
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
