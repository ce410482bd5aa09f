/**
 * Makes dist/release/: the executables for both kinds of machine, the unit, the runbook and what it links to,
 * the list of what they are made of (CycloneDX), and checksums of all.
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
process.stderr.write(`${sums.length} files and their SHA256SUMS are in dist/release/\n`);

/** From the lock file, tools of the build included: they are marked as such, and some of their output ships. */
function billOfMaterials(): string {
  return execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
}
