import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Packages whose code goes into the page. Their licences ask to be told with it. */
const BUNDLED = ["@preact/signals-core", "three", "uplot"];

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

// One script and one style sheet under fixed names: the viewer crate puts both into the program, and into exported pages.
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
