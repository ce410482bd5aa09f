import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { newFolder } from "./support/server.ts";

const root = path.join(import.meta.dirname, "..");

/** Versions of builds of release 2.0.0: from its archive, before its tag, at it and after it. */
const versions = once(() => {
  const folder = newFolder(wholeFile);
  cpSync(path.join(root, "scripts/commit.ts"), path.join(folder, "scripts/commit.ts"));
  writeFileSync(path.join(folder, "package.json"), '{"type": "module", "version": "2.0.0"}');
  const version = () => {
    const script = 'console.log((await import("./scripts/commit.ts")).buildVersion())';
    const args = ["--input-type=module", "--eval", script];
    return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim();
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  const buildAt = (time: string) => {
    const at = { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
    const person = ["-c", "user.name=Thandi", "-c", "user.email=t@school.example"];
    const args = [...person, "commit", "--quiet", "--allow-empty", "--message", time];
    execFileSync("git", args, { cwd: folder, env: { ...process.env, ...at } });
    return version();
  };
  const archive = version();
  git("init", "--quiet");
  const first = buildAt("2026-11-24T03:53:54+02:00");
  const second = buildAt("2026-11-24T01:53:55+00:00");
  git("tag", "v2.0.0");
  const release = version();
  return { first, second, archive, release, after: buildAt("2026-12-01T09:00:00+00:00") };
});

test("a build at a tag has the version of the release, one before or after it also a time and a commit", () => {
  const { first, release, after } = versions();
  assert.match(first, /^2\.0\.0~git20261124015354\.[0-9a-f]{7}$/);
  assert.equal(release, "2.0.0");
  assert.match(after, /^2\.0\.1~git20261201090000\.[0-9a-f]{7}$/);
});

test("Debian upgrades from each build to the next", (t) => {
  const { first, second, archive, release, after } = versions();
  const order = ["1.0.0", first, second, archive, release, after];
  for (const [index, later] of order.slice(1).entries()) {
    const { status, error } = spawnSync("dpkg", ["--compare-versions", order[index]!, "lt", later]);
    if (error) return t.skip("dpkg is not installed");
    assert.equal(status, 0, `${order[index]} before ${later}`);
  }
});
