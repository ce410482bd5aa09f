import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { buildVersion } from "../../scripts/commit.ts";
import { wholeFile } from "../support/at-end.ts";
import { newFolder } from "../support/server.ts";

const root = path.join(import.meta.dirname, "../..");
const release = path.join(root, "dist/release");
const nameFor = (arch: string) => `rubricon-${buildVersion()}-linux-${arch}`;

/** The folder of the unpacked archives. */
const folder = newFolder(wholeFile);
let said = "";

before(() => {
  const key = path.join(folder, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const { status, stderr } = spawnSync(process.execPath, ["scripts/release.ts"], {
    cwd: root,
    env: { ...process.env, RELEASE_SIGNING_KEY: key },
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  said = stderr;
  for (const arch of ["x64", "arm64"])
    execFileSync("tar", ["-xf", path.join(release, `${nameFor(arch)}.tar.xz`), "-C", folder]);
});

test("a release has a signed archive and a Debian package for each architecture", () => {
  assert.match(said, /^SHA256SUMS is signed\..*\nrelease namespaces="file" ssh-ed25519 \S+\n$/m);
  assert.deepEqual(readdirSync(release).sort(), [
    "SHA256SUMS",
    "SHA256SUMS.sig",
    `${nameFor("arm64")}.tar.xz`,
    `${nameFor("x64")}.tar.xz`,
    ...["amd64", "arm64"].map((arch) => `rubricon_${buildVersion()}_${arch}.deb`),
  ]);
  assertSums(release);
});

// e_machine in the ELF header: 62 is x86-64, 183 is AArch64.
for (const [arch, machine] of [
  ["x64", 62],
  ["arm64", 183],
] as const) {
  test(`the archive for ${arch} has a program for it, the documents and their sums`, () => {
    const unpacked = path.join(folder, nameFor(arch));
    assertSums(unpacked);
    assert.deepEqual(readdirSync(unpacked).sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "SHA256SUMS",
      "THIRD-PARTY-NOTICES.txt",
      "docs",
      "rubricon",
      "rubricon.1",
      "rubricon.cdx.json",
      "rubricon.env",
      "rubricon.service",
      "unavailable.html",
    ]);
    assert.deepEqual(readdirSync(path.join(unpacked, "docs")).sort(), [
      "alerts.yml",
      "api.md",
      "database.md",
      "limits.md",
      "marking-commands.md",
      "marking.md",
      "operating.md",
      "propose.mjs",
      "scaling.md",
      "service.md",
      "settings.md",
      "start.md",
      "your-words.md",
    ]);
    const program = readFileSync(path.join(unpacked, "rubricon"));
    assert.equal(program.readUInt16LE(18), machine);
  });
}

const own = path.join(folder, nameFor(process.arch));

test("the program of an archive says its version, and takes the settings beside it", () => {
  const run = (...args: string[]) =>
    execFileSync("./rubricon", args, { cwd: own, encoding: "utf8", stdio: "pipe" });
  assert.equal(run("version"), `rubricon ${buildVersion()}\n`);
  run("config", "check", "--config", "rubricon.env");
});

test("an archive lists the components of the program, and none of its tools", () => {
  assertParts(JSON.parse(readFileSync(path.join(own, "rubricon.cdx.json"), "utf8")));
});

/** Asserts that SHA256SUMS has the right sum of every other file of a folder. */
function assertSums(folder: string): void {
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder });
  const listed = readFileSync(path.join(folder, "SHA256SUMS"), "utf8").match(/(?<=^\S+ {2}).+$/gm);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("SHA256SUMS"))
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
  assert.deepEqual(listed?.sort(), files.sort());
}

interface Bill {
  bomFormat: string;
  metadata: { component: { name: string; version: string } };
  components: { name: string; version: string; cpe?: string; scope: string }[];
}

function assertParts({ bomFormat, metadata, components }: Bill): void {
  assert.equal(bomFormat, "CycloneDX");
  assert.equal(metadata.component.name, "rubricon");
  assert.equal(metadata.component.version, buildVersion());
  for (const name of ["sqlite", "openssl", "v8", "zlib", "brotli", "node"]) {
    const part = components.find((one) => one.name === name);
    assert.match(part?.cpe ?? "", /^cpe:2\.3:a:\w[\w.-]*:[\w.-]+:\d+[\d.]*:/, name);
  }
  for (const tool of ["vite", "typescript", "playwright-core", "drizzle-kit"]) {
    assert.ok(!components.some(({ name }) => name === tool), tool);
  }
}

test("two executables of one commit are the same", (t) => {
  const folder = newFolder(t);
  const files = ["first", "second"].map((name) => path.join(folder, name));
  for (const file of files) {
    execFileSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "pipe" });
    const args = ["scripts/package.ts", process.arch, file];
    execFileSync(process.execPath, args, { cwd: root, stdio: "pipe" });
  }
  assert.ok(readFileSync(files[0]!).equals(readFileSync(files[1]!)));
});
