import { defineConfig } from "vite";

// One script and one style sheet under fixed names: the viewer crate puts both into the program, and into exported pages.
export default defineConfig({
  base: "./",
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
