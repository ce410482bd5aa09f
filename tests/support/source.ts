/** Loads modules of the program from source into this process, with what Vite makes of their imports. */
import "./drizzle.ts";
import { globSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type * as transformModule from "rolldown/experimental";
import { parse } from "yaml";
import { splitDocument } from "../../app/server/content/document.ts";

/** What Vite makes of a file that is imported with a query, as vite.config.ts says. */
function importedValue(file: string, query: string): unknown {
  if (query === "?url") return `/${path.basename(file)}`;
  if (query === "?inline") return `data:,${readFileSync(file, "base64")}`;
  const text = readFileSync(file, "utf8");
  if (query === "?raw") return text;
  const parts = file.endsWith(".md") ? splitDocument(text)! : { yaml: text };
  return { ...parts, value: parse(parts.yaml) };
}

const globOf =
  (module: string) =>
  (patterns: string, { query }: { query: string }) => {
    const folder = path.dirname(fileURLToPath(module));
    const files = globSync(patterns, { cwd: folder });
    return Object.fromEntries(
      files.map((file) => [file, importedValue(path.join(folder, file), query)]),
    );
  };

const build = { BUILD_TIME: "2026-01-01T00:00:00.000Z", BUILD_VERSION: "0.0.0" };
Object.assign(globalThis, build, { globOf });

// Loaded with the first module that has JSX, because it takes a fifth of a second.
const require = createRequire(import.meta.url);

registerHooks({
  load(url, context, nextLoad) {
    const moduleOf = (source: string) => ({ format: "module", source, shortCircuit: true });
    const [, file, query] = /^file:\/\/(.*)(\?(?:parsed|raw))$/.exec(url) ?? [];
    if (file) return moduleOf(`export default ${JSON.stringify(importedValue(file, query!))}`);
    if (/\.(css|svg)(\?|$)/.test(url)) return moduleOf("export default undefined");
    if (url.endsWith(".tsx")) {
      const { transformSync }: typeof transformModule = require("rolldown/experimental");
      return moduleOf(transformSync(url, readFileSync(new URL(url), "utf8")).code);
    }
    const isJson = url.endsWith(".json");
    const loaded = nextLoad(
      url,
      isJson ? { ...context, importAttributes: { type: "json" } } : context,
    );
    const text = String(loaded.source);
    if (!text.includes("import.meta.glob")) return loaded;
    const source = text.replaceAll("import.meta.glob", "globOf(import.meta.url)");
    return { ...loaded, source };
  },
});

/** Loads a module with the hooks above. @param file its path from the root of the project, after a slash */
export const loadSource = async <Module>(file: string): Promise<Module> =>
  await import(`../..${file}`);
