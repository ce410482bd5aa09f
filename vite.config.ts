import { readFileSync } from "node:fs";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { parse } from "yaml";
import { noFrontMatter, splitDocument } from "./app/server/content/document.ts";
import { threads } from "./db/thread.ts";
import { buildVersion, commitTime } from "./scripts/commit.ts";

/**
 * Removes all but the imports from routes and ui/ in the client build: these files render on the server alone, and the
 * client needs only the styles that they import.
 */
const serverOnly: Plugin = {
  name: "server-only",
  apply: "build",
  enforce: "post",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/app\/(root|routes\/|ui\/)[^?]*\.tsx?(\?__react-router-build-client-route)?$/ },
    handler(code) {
      const imports = this.parse(code)
        .body.map((node) => ("source" in node ? node.source?.value : undefined))
        .filter((source) => source?.startsWith("."))
        .map((source) => `import ${JSON.stringify(source)};`);
      // Without an export, Vite would drop a chunk that has only styles. React Router needs that chunk.
      return `${imports.join("\n")}\nexport default undefined;\n`;
    },
  },
};

/** Replaces Vite's helper that loads styles before an import, because islands have no styles of their own. */
const plainImports: Plugin = {
  name: "plain-imports",
  apply: "build",
  enforce: "pre",
  load: {
    filter: { id: /^\0vite\/preload-helper/ },
    handler: () => "export const __vitePreload = (load) => load();",
  },
};

/**
 * Splits a content file (…?parsed) into its YAML, the value of it and the text below. Parsing the YAML of all built-in
 * files at each start, and in commands that read the content, would take 105 ms of CPU more: 475 in place of 370.
 */
const parsedContent: Plugin = {
  name: "parsed-content",
  load: {
    filter: { id: /\.(md|yaml)\?parsed$/ },
    handler(id) {
      const file = id.replace(/\?.*$/, "");
      this.addWatchFile(file);
      const text = readFileSync(file, "utf8");
      const parts = file.endsWith(".md") ? splitDocument(text) : { yaml: text };
      if (!parts) this.error(`${file}: ${noFrontMatter}`);
      return `export default ${JSON.stringify({ ...parts, value: parse(parts.yaml) })}`;
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [reactRouter(), serverOnly, plainImports, parsedContent],
  // Vite's own list of assets lacks files for Office.
  assetsInclude: ["content/downloads/*"],
  build: {
    // Islands share most of their modules; preload lists would only add bytes.
    modulePreload: false,
    // A font inlined into the style sheet would also be downloaded by visitors who do not need it.
    assetsInlineLimit: 0,
    // scripts/notices.ts reads this list.
    license: { fileName: "licenses.json" },
  },
  define: {
    // `doctor` reports a system clock that is earlier than this.
    BUILD_TIME: JSON.stringify(commitTime()),
    BUILD_VERSION: JSON.stringify(buildVersion()),
    // Otherwise the server would render with React's development build.
    ...(command === "build" && { "process.env.NODE_ENV": '"production"' }),
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Radix names its functions with this helper. A call of a helper that may have effects would keep functions
          // that nothing calls.
          treeshake: { manualPureFunctions: ["__name"] },
          output: {
            codeSplitting: {
              groups: [
                // Without a chunk of its own, the helper would become part of a larger chunk, which the loader
                // would load.
                { name: "preload-helper", test: /preload-helper/, priority: 2 },
                // The sample renders elements without React, and must not load the chunk of the forms.
                { name: "jsx", test: /node_modules\/react\/.*jsx-runtime/, priority: 2 },
                // The results and the desk need this module, and must not load the chunk of the forms.
                { name: "characters", test: /app\/domain\/characters\.ts$/, priority: 2 },
                { name: "tick", test: /app\/islands\/form\/tick\.tsx$/, priority: 2 },
                { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 1 },
                { name: "form", test: /app\/islands\/form\/[^/]+$/ },
              ],
            },
          },
        },
      },
    },
    // server.ts is the entry of build and executable: site, store and commands are one module
    // graph. The other entries are the database's worker threads.
    ssr: {
      build: {
        rolldownOptions: {
          input: {
            server: "./server.ts",
            ...threads,
          },
          // Chunks are beside the entries, because modules find files of the program by import.meta.dirname.
          output: { chunkFileNames: "[name]-[hash].js" },
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
