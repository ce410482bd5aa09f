/** Checks format, lint, types, vocabulary, articles and generated documents. --write corrects what it can. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
// Run the binary itself: Biome's launcher package needs binaries that some registries do not have.
const biome = path.join(
  root,
  `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`,
);
const write = process.argv.includes("--write") ? ["--write"] : [];

const node = process.execPath;
const commands = {
  format: [biome, "check", "--error-on-warnings", ...write],
  routeTypes: [node, "node_modules/@react-router/dev/bin.cjs", "typegen"],
  types: [node, "node_modules/typescript/bin/tsc"],
  language: [node, "scripts/check/language.ts"],
  articles: [node, "scripts/check/articles.ts"],
  databaseDoc: [node, "scripts/database-doc.ts", ...write],
  settingsDoc: [node, "scripts/settings-doc.ts", ...write],
  architectureDoc: [node, "scripts/architecture-doc.ts", ...write],
};

/** Runs commands side by side. Exits if one of them fails, after the output of all. */
async function check(...names: (keyof typeof commands)[]) {
  const exits = names.map(async (name) => {
    const [program, ...args] = commands[name];
    const [status] = await once(spawn(program!, args, { cwd: root, stdio: "inherit" }), "exit");
    return status === 0;
  });
  if ((await Promise.all(exits)).includes(false)) process.exit(1);
}

// Commands that rewrite sources run before those that read them.
await check("format", "routeTypes");
await check("types", "databaseDoc", "settingsDoc", "architectureDoc", "articles", "language");
