/** npm run bench -- NAME: runs a benchmark of scripts/bench/ against the executable. */
import { existsSync } from "node:fs";
import path from "node:path";

const name = process.argv[2] ?? "";
const file = path.join(import.meta.dirname, "bench", `${path.basename(name)}.ts`);
if (!existsSync(file)) {
  console.error("Name a benchmark: npm run bench -- start, pages, uploads, desk or soak");
  process.exit(2);
}
await import(file);
