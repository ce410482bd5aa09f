/** What stays of results in the bytes of the SQLite file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOf } from "./support/file-bytes.ts";
import { startMailServer } from "./support/mail-server.ts";
import { team, uploadPublished, uploadSubmissions } from "./support/results.ts";
import { startServer, until } from "./support/server.ts";

test("neither the link of a sent email nor results that are due stay in the bytes of the file", async (t) => {
  const mail = await startMailServer(t);
  const first = await startServer(t, { env: { RUBRICON_MAIL_URL: mail.url, ...team } });
  await uploadPublished(first, undefined, { renders: true });
  const sent = () => /\?results=([\w-]+)/.exec(mail.emails.map(({ text }) => text).join("\n"))?.[1];
  await until(() => sent() !== undefined);
  const token = sent()!;
  // Another email wakes the outbox worker.
  await uploadSubmissions(first, ["learner-02.txt"]);
  await until(
    async () => (await first.query("SELECT 1 FROM outbox WHERE status <> 'sent'")).length === 0,
  );
  await until(() => !bytesOf(first).includes(token.toLowerCase()));
  assert.ok(bytesOf(first).includes("learner 1"));

  await first.change("UPDATE contact_requests SET created_at = '2026-01-01T00:00:00.000Z'");
  await first.stop();
  const second = await startServer(t, { folder: first.folder });
  await until(async () => (await second.query("SELECT * FROM submissions")).length === 0);
  await second.stop();
  assert.ok(!bytesOf(second).includes("learner 1"));
});
