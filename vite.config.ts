import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/**
 * Keeps the code of routes out of the client build, which needs only their styles: React Router renders on the
 * server and is not sent to the browser.
 */
const serverOnlyRoutes: Plugin = {
  name: "server-only-routes",
  enforce: "post",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\?__react-router-build-client-route$/ },
    handler: (_code, id) =>
      // The export keeps Vite from dropping a chunk of styles alone, which React Router looks for.
      `import ${JSON.stringify(id.replace(/\?.*$/, ""))};\nexport default undefined;\n`,
  },
};

export default defineConfig(({ command }) => ({
  plugins: [reactRouter(), serverOnlyRoutes],
  build: {
    // Islands share most of their modules; preload lists would only add bytes.
    modulePreload: false,
    // A font inlined into the style sheet would also be downloaded by visitors who do not need it.
    assetsInlineLimit: 0,
  },
  // A system clock earlier than the build is wrong.
  define: { BUILD_TIME: JSON.stringify(new Date().toISOString()) },
  environments: {
    // server.ts is the entry of build and executable: site, store and commands are one module
    // graph. The other entries are the database's worker threads.
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
    // Bundle everything but the native addon, so that `npm start` runs what is packaged. In
    // development Node loads packages itself, because Vite's module runner does not take CommonJS.
    noExternal: command === "build" ? true : undefined,
    external: ["better-sqlite3"],
  },
  // Discovered only when a form is first used, these would make Vite reload the page.
  optimizeDeps: { include: ["zod/mini", "@radix-ui/react-toast"] },
}));
