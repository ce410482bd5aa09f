/** Runs commands from source in the process of the tests. */
import "./drizzle.ts";
import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { splitDocument } from "../../app/server/content/document.ts";
import { yamlValue } from "../../app/server/content/yaml.ts";
import { once } from "../../app/server/system/once.ts";
import type { Output } from "./output-of.ts";
import { runExecutable, setRun } from "./server.ts";

/** What Vite makes of a file that is imported with a query, as vite.config.ts says. */
function importedValue(file: string, query: string): unknown {
  if (query === "?url") return `/${path.basename(file)}`;
  if (query === "?inline") return `data:,${readFileSync(file, "base64")}`;
  const text = readFileSync(file, "utf8");
  if (query === "?raw") return text;
  const parts = file.endsWith(".md") ? splitDocument(text)! : { yaml: text };
  return { ...parts, value: yamlValue(parts.yaml) };
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

const loadCommands = once(async () => {
  const build = { BUILD_TIME: "2026-01-01T00:00:00.000Z", BUILD_VERSION: "0.0.0" };
  Object.assign(globalThis, build, { globOf });
  registerHooks({
    load(url, context, nextLoad) {
      const [, file, query] = /^file:\/\/(.*)(\?(?:parsed|raw))$/.exec(url) ?? [];
      if (file) {
        const source = `export default ${JSON.stringify(importedValue(file, query!))}`;
        return { format: "module", source, shortCircuit: true };
      }
      const loaded = nextLoad(url, context);
      const text = String(loaded.source);
      if (!text.includes("import.meta.glob")) return loaded;
      const source = text.replaceAll("import.meta.glob", "globOf(import.meta.url)");
      return { ...loaded, source };
    },
  });
  return (await import("../../app/server/cli/run.ts")).run;
});

let last: Promise<unknown> = Promise.resolve();

/**
 * Has this test file run commands from source, in its own process and one after the other. Each takes a tenth of the
 * processor time that one of the executable takes, and the first a second. Servers are of the executable, as are
 * commands with options of Node, those on PostgreSQL and those that read standard input, which here would never end.
 */
export function runCommandsHere(): void {
  if (process.env.TEST_ENGINE === "postgres") return;
  setRun((folder, args, env = {}) => {
    const isServer = [undefined, "serve", "--data-dir", "--host", "--port"].includes(args[0]);
    if (isServer || args.includes("-") || env.NODE_OPTIONS) return runExecutable(folder, args, env);
    const output = last.then(() => runHere(folder, args, env));
    last = output.catch(() => {});
    return output;
  });
}

async function runHere(folder: string, args: string[], env: Record<string, string>) {
  const run = await loadCommands();
  const [out, err] = [process.stdout, process.stderr].map(captureText);
  const before = { folder: process.cwd(), env: { ...process.env } };
  setEnvironment({ PATH: "/nowhere", ...env });
  process.chdir(folder);
  try {
    return { code: await run(args), out: out!.text, err: err!.text } satisfies Output;
  } finally {
    process.chdir(before.folder);
    setEnvironment(before.env);
    out!.end();
    err!.end();
  }
}

/** Sets each variable of the process, because the time zone does not follow another object in place of `process.env`. */
function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Captures the texts that are written to a stream. The runner of tests reports in bytes, which are passed on. */
function captureText(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const captured = { text: "", end: () => void Object.assign(stream, { write }) };
  const capture = (chunk: string | Uint8Array, ...more: []) => {
    if (typeof chunk !== "string") return write.call(stream, chunk, ...more);
    captured.text += chunk;
    return true;
  };
  Object.assign(stream, { write: capture });
  // Each command listens to the stream.
  stream.setMaxListeners(0);
  return captured;
}
