import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { contactTyped, postForm } from "../support/forms.ts";
import { startByNpm } from "../support/npm.ts";
import { query, withoutLimits } from "../support/server.ts";

test("npm run dev serves pages and stores posts until SIGTERM", async (t) => {
  const server = await startByNpm(t, "dev", withoutLimits);
  assert.equal((await fetch(`${server.url}/contact`)).status, 200);
  assert.equal((await postForm(server.url, "/contact", contactTyped)).status, 303);
  assert.equal(query(server.databaseFile, "SELECT 1 FROM contact_requests").length, 1);
  await server.stop();
  assert.ok(!existsSync(`${server.databaseFile}-wal`), "the database was closed");
});
