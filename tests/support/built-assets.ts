import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";

export const assetFolder = path.join(import.meta.dirname, "../../build/client/assets");

const assets = readdirSync(assetFolder);

/** Returns the name of a built file that matches the pattern. */
export const assetNamed = (pattern: RegExp) =>
  assets.find((name) => pattern.test(name)) ?? assert.fail(`no file is named ${pattern}`);
