import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    // A font inlined into the style sheet would be downloaded by visitors who never need it.
    assetsInlineLimit: 0,
  },
  environments: {
    // The executable's entry is the server build's entry: site, store and commands are one module graph.
    ssr: { build: { rolldownOptions: { input: "./server.ts" } } },
  },
  // Everything is bundled but the native addon, so that what runs from source is what is packaged.
  ssr: { noExternal: true, external: ["better-sqlite3"] },
});
