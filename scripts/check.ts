/** Checks format, lint, types and the generated documentation. --write fixes what can be fixed. */
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
  ["react-router", "typegen"],
  ["tsc"],
  ["node", "scripts/database-doc.ts", ...write],
  ["node", "scripts/settings-doc.ts", ...write],
]) {
  const { status } = spawnSync(program!, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
