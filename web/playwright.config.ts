import { defineConfig } from "@playwright/test";

/**
 * Debian's Chromium on a machine without a graphics card: 3D is drawn by SwiftShader, the page by the processor, as Chromium does it
 * there by itself. `--use-angle=swiftshader` would emulate a card for the whole page, which takes four times as long.
 */
export default defineConfig({
  testDir: "e2e",
  outputDir: "e2e/results",
  // Two cores, of which software rendering takes as many as there are.
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Figures of speed are no tests: `cargo xtask bench viewer` asks for them.
  ...(process.env.SPEED === undefined ? { grepInvert: /@speed/ } : { grep: /@speed/ }),
  reporter: [["list"]],
  forbidOnly: process.env.CI !== undefined,
  use: {
    viewport: { width: 1280, height: 720 },
    colorScheme: "light",
    acceptDownloads: true,
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
    },
  },
});
