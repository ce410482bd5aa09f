/** What published marks leave in the bytes of the SQLite file and its WAL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommandsHere } from "./support/commands-here.ts";
import { bytesOf } from "./support/file-bytes.ts";
import { sentResults, uploadPublished } from "./support/results.ts";
import { emptyServer, startAnother, until } from "./support/server.ts";

runCommandsHere();

test("the link of an email that was sent stays in no byte of the file", async () => {
  const { server, token } = await sentResults();
  await until(() => !bytesOf(server).includes(token.toLowerCase()));
  assert.ok(bytesOf(server).includes("learner 1"), "the marks stay");
});

test("a learner's name in results that are due for deletion leaves no byte in the file", async (t) => {
  const server = await emptyServer();
  await uploadPublished(server);
  await server.change("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  const due = await startAnother(t, server);
  assert.ok(bytesOf(server).includes("learner 1"));
  await until(async () => (await due.query("SELECT * FROM submissions")).length === 0);
  await due.stop();
  assert.ok(!bytesOf(due).includes("learner 1"));
});
