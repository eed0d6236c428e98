import { defineConfig } from "@playwright/test";

/**
 * Debian's Chromium on a machine without a GPU: SwiftShader draws WebGL, and the page is rasterized in software, which is Chromium's
 * default there. `--use-angle=swiftshader` would emulate a GPU for the whole page and take four times as long.
 */
export default defineConfig({
  testDir: "e2e",
  outputDir: "e2e/results",
  // Software rendering uses all cores.
  workers: 1,
  // Long, because the machine can be busy.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  // Benchmarks run with `cargo xtask bench viewer` only.
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
