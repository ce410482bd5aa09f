/**
 * Makes dist/release/: the executables for both architectures, the systemd unit, the runbook and
 * the documents it links to, a software bill of materials (CycloneDX), and the checksums of all
 * files.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { program } from "../app/brand.ts";

const root = path.join(import.meta.dirname, "..");
const release = path.join(root, "dist/release");

rmSync(release, { recursive: true, force: true });
mkdirSync(release, { recursive: true });

for (const arch of ["x64", "arm64"]) {
  const output = path.join(release, `${program.command}-linux-${arch}`);
  execFileSync(process.execPath, ["scripts/package.ts", arch, output], {
    cwd: root,
    stdio: "inherit",
  });
}
for (const file of [
  "packaging/rubricon.service",
  "docs/operating.md",
  "docs/database.md",
  "docs/limits.md",
  "CHANGELOG.md",
]) {
  copyFileSync(path.join(root, file), path.join(release, path.basename(file)));
}
writeFileSync(path.join(release, `${program.command}.cdx.json`), billOfMaterials());
const sums = readdirSync(release).map((name) => {
  const digest = createHash("sha256")
    .update(readFileSync(path.join(release, name)))
    .digest("hex");
  return `${digest}  ${name}\n`;
});
writeFileSync(path.join(release, "SHA256SUMS"), sums.join(""));
process.stderr.write(`Wrote ${sums.length} files and their SHA256SUMS to dist/release/\n`);

/**
 * Lists all packages of the lock file. Build tools are included, because some of their output
 * ships.
 */
function billOfMaterials(): string {
  return execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
}
