import { defineConfig } from "@playwright/test";

/** Debian's Chromium on a machine without a GPU: SwiftShader draws WebGL, so pages are small. */
export default defineConfig({
  testDir: ".",
  testMatch: "{e2e,example}/*.spec.ts",
  outputDir: "e2e/results",
  workers: 1,
  // Long, because the machine can be busy.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  forbidOnly: process.env.CI !== undefined,
  use: {
    viewport: { width: 240, height: 180 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
    },
  },
});
