import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Packages in the bundle. Their licences must be distributed with it. */
const BUNDLED = ["@preact/signals", "@preact/signals-core", "preact", "three", "uplot"];

function licences(): Plugin {
  const licence = (name: string) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`;
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const script = bundle["viewer.js"];
      if (script?.type === "chunk") {
        script.code = `/*!\n${BUNDLED.map(licence).join("\n\n")}\n*/\n${script.code}`;
      }
    },
  };
}

// One script and one style sheet with fixed names: the viewer crate embeds both in the program and in exported pages.
export default defineConfig({
  base: "./",
  plugins: [licences()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: "viewer.js",
        assetFileNames: "viewer.[ext]",
      },
    },
  },
});
