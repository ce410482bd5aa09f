import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { newFolder, runCommand } from "./support/server.ts";

const compose = parse(readFileSync(path.join(import.meta.dirname, "../compose.yaml"), "utf8"));

test("compose.yaml runs the image with valid settings, and trusts the network of its proxy", async (t) => {
  const { rubricon, caddy } = compose.services;
  const env: Record<string, string> = Object.fromEntries(
    Object.entries<string>(rubricon.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{SITE_HOST[^}]*\}/, "marking.school.example"),
    ]),
  );
  const { code, err } = await runCommand(newFolder(t), ["config", "check"], env);
  assert.equal(code, 0, err);
  const [{ subnet }] = compose.networks.default.ipam.config;
  assert.equal(env.RUBRICON_TRUSTED_PROXIES, subnet);
  assert.match(caddy.command, /--to rubricon:3000$/);
  const names = [...rubricon.volumes, ...caddy.volumes].map(
    (volume: string) => volume.split(":")[0],
  );
  assert.deepEqual(names.sort(), Object.keys(compose.volumes).sort());
});
