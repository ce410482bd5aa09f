import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };

const root = path.join(import.meta.dirname, "../..");
const release = path.join(root, "dist/release");

test("a release contains executables for both architectures, their documents, and correct checksums", () => {
  execFileSync(process.execPath, ["scripts/release.ts"], { cwd: root, stdio: "pipe" });
  assert.deepEqual(readdirSync(release).sort(), [
    "CHANGELOG.md",
    "SHA256SUMS",
    "database.md",
    "limits.md",
    "operating.md",
    "rubricon-linux-arm64",
    "rubricon-linux-x64",
    "rubricon.cdx.json",
    "rubricon.service",
  ]);
  const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: release });
  assert.equal(checked.toString().match(/: OK$/gm)?.length, 7);
  // e_machine in the ELF header: 62 is x86-64, 183 is AArch64.
  for (const [arch, machine] of [
    ["x64", 62],
    ["arm64", 183],
  ] as const) {
    const program = readFileSync(path.join(release, `rubricon-linux-${arch}`));
    assert.equal(program.readUInt16LE(18), machine, arch);
  }
  const own = path.join(release, `rubricon-linux-${process.arch}`);
  assert.match(execFileSync(own, ["version"]).toString(), new RegExp(packageJson.version));

  const sbom = JSON.parse(readFileSync(path.join(release, "rubricon.cdx.json"), "utf8"));
  assert.equal(sbom.bomFormat, "CycloneDX");
  const listed = new Set(sbom.components.map((one: { name: string }) => one.name));
  for (const name of Object.keys(packageJson.dependencies)) assert.ok(listed.has(name), name);
});
