import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig(({ command }) => ({
  plugins: [reactRouter()],
  build: {
    // What a part that is loaded later needs is mostly there already; a list of it would cost every visitor.
    modulePreload: false,
    // A font inlined into the style sheet would be downloaded by visitors who never need it.
    assetsInlineLimit: 0,
  },
  // The clock is wrong where it is earlier than this.
  define: { BUILD_TIME: JSON.stringify(new Date().toISOString()) },
  environments: {
    // The executable's entry is the server build's entry: site, store and commands are one module graph.
    // The threads of the database and of its backups are the others.
    ssr: {
      build: {
        rolldownOptions: {
          input: {
            server: "./server.ts",
            "writer-thread": "./db/sqlite/writer-thread.ts",
            "backup-thread": "./db/sqlite/backup-thread.ts",
            "checkpoint-thread": "./db/sqlite/checkpoint-thread.ts",
          },
        },
      },
    },
  },
  ssr: {
    // Everything is bundled but the native addon, so that what runs from source is what is packaged.
    // In development Node loads the packages itself: Vite's runner takes no CommonJS.
    noExternal: command === "build" ? true : undefined,
    external: ["better-sqlite3"],
  },
  // Found late, when a form is first used, they would cost the first visit a reload.
  optimizeDeps: { include: ["zod/mini", "@radix-ui/react-toast"] },
}));
