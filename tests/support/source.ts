import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

const root = path.join(import.meta.dirname, "../..");

const exported = (value: string) => `export default ${JSON.stringify(value)};`;

/** The code that Vite makes of a file which is no module of Node's. */
const codeOf: Record<string, (file: string) => string> = {
  "?raw": (file) => exported(readFileSync(file, "utf8")),
  "?url": exported,
  ".css": () => "",
  ".svg": exported,
  ".tsx": (file) => transformSync(file, readFileSync(file, "utf8")).code,
};

/** Vite's `import.meta.glob` of a module, with `eager`. */
const globFor =
  (folder: string) =>
  (pattern: string, { query }: { query: string }) =>
    Object.fromEntries(
      globSync(pattern, { cwd: folder }).map((name) => {
        const file = path.join(folder, name);
        return [`./${name}`, query === "?raw" ? readFileSync(file, "utf8") : file];
      }),
    );

Object.assign(globalThis, { globFor });

registerHooks({
  resolve(specifier, context, next) {
    // For each of Drizzle's hundreds of modules Node would parse its package.json, of 180 kB, again.
    const { parentURL = "" } = context;
    const isWithinDrizzle = parentURL.includes("/node_modules/drizzle-orm/");
    if (!isWithinDrizzle || !specifier.startsWith(".")) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    const { pathname, search } = new URL(url, "file:///");
    const isOwn = pathname.startsWith(root) && !pathname.includes("/node_modules/");
    const code = isOwn && (codeOf[search] ?? codeOf[path.extname(pathname)]);
    if (code) return { format: "module", source: code(fileURLToPath(url)), shortCircuit: true };
    // Node asks for an attribute at the import, which Vite does not need.
    if (isOwn && pathname.endsWith(".json"))
      return { format: "json", source: readFileSync(fileURLToPath(url)), shortCircuit: true };
    const loaded = next(url, context);
    const source = isOwn ? String(loaded.source) : "";
    if (!source.includes("import.meta.glob")) return loaded;
    return { ...loaded, source: `import.meta.glob = globFor(import.meta.dirname); ${source}` };
  },
});

/** Loads a module of the program from source, into this process; with Vite it takes a second more. */
export const loadSource = async <Module>(file: string): Promise<Module> =>
  (await import(root + file)) as Module;
