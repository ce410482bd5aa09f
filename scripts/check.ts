/** Checks format, lint, types, vocabulary, articles and the generated documentation. --write fixes what can be fixed. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
// Run the binary itself: Biome's launcher package needs binaries that some registries do not have.
const biome = path.join(
  root,
  `node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`,
);
const write = process.argv.includes("--write") ? ["--write"] : [];

for (const [program, ...args] of [
  [biome, "check", "--error-on-warnings", ...write],
  [process.execPath, "node_modules/@react-router/dev/bin.cjs", "typegen"],
  [process.execPath, "node_modules/typescript/bin/tsc"],
  [process.execPath, "scripts/database-doc.ts", ...write],
  [process.execPath, "scripts/settings-doc.ts", ...write],
  [process.execPath, "scripts/architecture-doc.ts", ...write],
  [process.execPath, "scripts/check/language.ts"],
  [process.execPath, "scripts/check/articles.ts"],
]) {
  const { status } = spawnSync(program!, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
