import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { threadNames } from "./db/sqlite/thread.ts";

export default defineConfig(({ command }) => ({
  plugins: [reactRouter()],
  build: {
    // Lazily loaded parts share most of their modules with the page; preload lists would only add
    // bytes.
    modulePreload: false,
    // A font inlined into the style sheet would also be downloaded by visitors who do not need it.
    assetsInlineLimit: 0,
  },
  // `doctor` reports a system clock that is earlier than the build.
  define: { BUILD_TIME: JSON.stringify(new Date().toISOString()) },
  environments: {
    // server.ts is the entry of build and executable: site, store and commands are one module
    // graph. The other entries are the database's worker threads.
    ssr: {
      build: {
        rolldownOptions: {
          input: {
            server: "./server.ts",
            ...Object.fromEntries(threadNames.map((name) => [name, `./db/sqlite/${name}.ts`])),
          },
        },
      },
    },
  },
  ssr: {
    // Bundle everything but the native addon, so that `npm start` runs what is packaged. In
    // development Node loads packages itself, because Vite's module runner does not take CommonJS.
    noExternal: command === "build" ? true : undefined,
    external: ["better-sqlite3"],
  },
  // Vite would discover these only when a form is first used, and reload the page.
  optimizeDeps: { include: ["zod/mini", "@radix-ui/react-toast"] },
}));
