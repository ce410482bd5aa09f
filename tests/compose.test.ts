import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { succeeded } from "./support/output-of.ts";
import { newFolder, runCommand } from "./support/server.ts";

const root = path.join(import.meta.dirname, "..");
const compose = parse(readFileSync(path.join(root, "compose.yaml"), "utf8"));

const { rubricon, caddy } = compose.services;

test("compose.yaml gives the image valid settings, with SITE_URL or without", async (t) => {
  // Compose replaces ${SITE_URL:-http://localhost} with SITE_URL of .env, or with the default.
  for (const [site, url] of [
    ["$1", "http://localhost"],
    ["https://marking.school.example", "https://marking.school.example"],
  ] as const) {
    const env: Record<string, string> = Object.fromEntries(
      Object.entries<string>(rubricon.environment).map(([name, value]) => [
        name,
        value.replace(/\$\{SITE_URL:-([^}]*)\}/, site),
      ]),
    );
    await succeeded(runCommand(newFolder(t), ["config", "check"], env));
    assert.equal(env.RUBRICON_PUBLIC_URL, url);
  }
});

test("compose.yaml has its proxy serve the site’s address, and trusts the proxy’s network", () => {
  assert.equal(caddy.environment.SITE_URL, rubricon.environment.RUBRICON_PUBLIC_URL);
  const [{ subnet }] = compose.networks.default.ipam.config;
  assert.equal(rubricon.environment.RUBRICON_TRUSTED_PROXIES, subnet);
});

test("compose.yaml mounts its volumes and files that exist", () => {
  const sources = [...rubricon.volumes, ...caddy.volumes].map(
    (volume: string) => volume.split(":")[0]!,
  );
  const isFile = (source: string) => source.startsWith("./");
  assert.deepEqual(
    sources.filter((source) => !isFile(source)).sort(),
    Object.keys(compose.volumes).sort(),
  );
  assert.deepEqual(sources.filter(isFile), [
    "./packaging/Caddyfile",
    "./packaging/unavailable.html",
  ]);
  for (const file of sources.filter(isFile)) assert.ok(existsSync(path.join(root, file)), file);
});
