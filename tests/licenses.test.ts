import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import packageJson from "../package.json" with { type: "json" };
import { billOfMaterials } from "../scripts/bill-of-materials.ts";
import { dependencies } from "./support/dependencies.ts";
import { executable } from "./support/server.ts";

const root = path.join(import.meta.dirname, "..");

test("the program prints its licence and the licence of every part in it", () => {
  const printed = execFileSync(executable, ["licenses"], { encoding: "utf8" });
  const license = readFileSync(path.join(root, "LICENSE"), "utf8");
  assert.ok(printed.startsWith(license));
  assert.equal(packageJson.license, "MIT");
  const heads = [...printed.matchAll(/^-{78}\n\n(\S+) (.+) \(([^)]+)\)$/gm)].map(
    ([, name]) => name!,
  );
  const others =
    "@fontsource-variable/inter @fontsource-variable/source-serif-4 scheduler PDFium libwebp SQLite Node.js";
  for (const name of [...dependencies, ...others.split(" ")]) assert.ok(heads.includes(name), name);
  assert.equal(new Set(heads).size, heads.length, "each part is printed once");
  const parts = printed.split(/^-{78}$/m).slice(2);
  for (const part of parts) assert.ok(part.trim().split("\n").length > 2, part.slice(0, 100));
});

test("the list of parts has every package under the name that vulnerabilities are published for", () => {
  const { components } = JSON.parse(billOfMaterials()) as {
    components: { name: string; version: string; purl?: string }[];
  };
  for (const name of dependencies) {
    const found = components.find((one) => one.name === name);
    assert.equal(found?.purl, `pkg:npm/${name.replace("@", "%40")}@${found?.version}`, name);
  }
});
