import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

/** Two sorts of tests: those of plain code in Node, and those of a page that installs a recording by itself, in a real browser. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "node", include: ["test/*.test.ts"] } },
      {
        // As somebody who installed the package gets it.
        resolve: { alias: { "holotape-webxr": new URL("dist/browser.js", import.meta.url).pathname } },
        test: {
          name: "browser",
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
