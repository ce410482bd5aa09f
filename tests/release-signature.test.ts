import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
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

/** A signed release, with functions that sign it by another key and run the guide's commands. */
function signedRelease(t: TestContext) {
  const [release, keys] = [newFolder(t), newFolder(t)];
  const sign = (key: string) => {
    rmSync(path.join(release, "SHA256SUMS.sig"), { force: true });
    const file = path.join(keys, key);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
    return signRelease(release, file);
  };
  const archive = path.join(release, "rubricon.tar.xz");
  writeFileSync(archive, "archive");
  writeChecksums(release);
  const signer = sign("key").split("\n")[1];
  writeFileSync(path.join(release, "allowed_signers"), `${signer}\n`);
  const { script } = readRunbook().find(({ tag }) => tag === "signature")!;
  const verify = () => {
    const options = { cwd: release, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync("sh", ["-ec", script], options);
    return { isValid: status === 0, printed: stdout + stderr };
  };
  return { release, archive, sign, verify };
}

test("the guide's commands accept a signed release", { skip }, (t) => {
  const { isValid, printed } = signedRelease(t).verify();
  assert.ok(isValid, printed);
});

test("the guide's commands reject a release that was changed", { skip }, (t) => {
  const { release, archive, verify } = signedRelease(t);
  appendFileSync(archive, "changed");
  const changed = verify();
  assert.ok(!changed.isValid);
  assert.match(changed.printed, /checksum did NOT match/);
  writeChecksums(release);
  const resummed = verify();
  assert.ok(!resummed.isValid);
  assert.match(resummed.printed, /Could not verify signature/, "new checksums, old signature");
});

test("the guide's commands reject a release that was signed with another key", { skip }, (t) => {
  const { sign, verify } = signedRelease(t);
  sign("other");
  const { isValid, printed } = verify();
  assert.ok(!isValid);
  assert.match(printed, /Could not verify signature/);
});
