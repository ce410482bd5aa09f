/**
 * Makes dist/release/: for each architecture an archive and a Debian package, and the checksums of all, signed with the
 * SSH key that RELEASE_SIGNING_KEY names. Needs dpkg-deb.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { program } from "../app/brand.ts";
import { buildVersion, commitTime } from "./commit.ts";
import { makeDeb } from "./deb.ts";
import { writeChecksums, writeReleaseFolder } from "./release-folder.ts";
import { signRelease } from "./sign-release.ts";

const root = path.join(import.meta.dirname, "..");
const release = path.join(root, "dist/release");
const work = path.join(root, "build/release");

// An earlier build may have been made before the tag, so the site is built again.
execFileSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
for (const folder of [release, work]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const arch of ["x64", "arm64"]) {
  const name = `${program.command}-${buildVersion()}-linux-${arch}`;
  const executable = path.join(work, arch);
  execFileSync(process.execPath, ["scripts/package.ts", arch, executable], {
    cwd: root,
    stdio: "inherit",
  });
  writeReleaseFolder(path.join(work, name), executable);
  pack(name);
  makeDeb(path.join(work, name), arch, release);
}
const count = writeChecksums(release);
const signature = signRelease(release, process.env.RELEASE_SIGNING_KEY);
process.stderr.write(`Wrote ${count} files and their SHA256SUMS to dist/release/\n${signature}\n`);

/**
 * Packs a folder of a release. Order, owner, time and number of threads are fixed, so that two archives of one commit
 * are the same.
 */
function pack(name: string): void {
  const archive = path.join(release, `${name}.tar.xz`);
  const orderAndOwner = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
  const time = `--mtime=@${Math.floor(commitTime().getTime() / 1000)}`;
  execFileSync("tar", [...orderAndOwner, time, "-cJf", archive, "-C", work, name], {
    env: { ...process.env, XZ_OPT: "-T2" },
  });
}
