import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { writeChecksums } from "../scripts/release-folder.ts";
import { signRelease } from "../scripts/sign-release.ts";
import { readRunbook } from "./support/runbook.ts";
import { newFolder } from "./support/server.ts";

const skip = spawnSync("ssh-keygen", ["-?"]).error && "there is no ssh-keygen here";

test("a release is not signed without a key", (t) => {
  const release = newFolder(t);
  writeChecksums(release);
  assert.match(signRelease(release, undefined), /^SHA256SUMS is not signed: RELEASE_SIGNING_KEY/);
  assert.ok(!existsSync(path.join(release, "SHA256SUMS.sig")));
});

test("the guide's commands reject a release that was changed or signed with another key", {
  skip,
}, (t) => {
  const [release, keys] = [newFolder(t), newFolder(t)];
  const newKey = (name: string) => {
    const file = path.join(keys, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
    return file;
  };
  const archive = path.join(release, "rubricon.tar.xz");
  writeFileSync(archive, "archive");
  writeChecksums(release);
  const message = signRelease(release, newKey("key"));
  const signers = path.join(release, "allowed_signers");
  writeFileSync(signers, `${message.split("\n")[1]}\n`);
  const { script } = readRunbook().find(({ tag }) => tag === "signature")!;
  const verify = () => {
    const options = { cwd: release, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync("sh", ["-ec", script], options);
    return { isValid: status === 0, printed: stdout + stderr };
  };
  assert.ok(verify().isValid, verify().printed);

  appendFileSync(archive, "changed");
  assert.match(verify().printed, /checksum did NOT match/);
  writeChecksums(release);
  assert.ok(!verify().isValid, "new checksums need a new signature");

  rmSync(path.join(release, "SHA256SUMS.sig"));
  signRelease(release, newKey("other"));
  const other = verify();
  assert.ok(!other.isValid);
  assert.match(other.printed, /Could not verify signature/);
});
