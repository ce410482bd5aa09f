/** Several servers on one PostgreSQL database, while servers and the database fail. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { contactTyped, postJson, referenceIn } from "../support/forms.ts";
import { startMailServer } from "../support/mail-server.ts";
import { newDatabase, queryPostgres } from "../support/postgres.ts";
import { startReplicated } from "../support/replicated-postgres.ts";
import { type Server, startServer, until } from "../support/server.ts";
import { inspect, startLoad } from "../support/several-servers.ts";

const kills = 50;
const failovers = 10;

test("under kills of servers every acknowledged request is stored once and whole, and emails arrive", async (t) => {
  const mail = await startMailServer(t);
  const url = await newDatabase(t);
  const env = {
    RUBRICON_DATABASE_URL: url,
    RUBRICON_MAIL_URL: mail.url,
    RUBRICON_MAIL_TO: "team@school.example",
  };
  const servers: Server[] = await Promise.all([0, 1].map(() => startServer(t, { env })));
  const load = startLoad(() => servers);
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(Math.random() * 700);
    await servers[kill % 2]!.stop("SIGKILL");
    servers[kill % 2] = await startServer(t, { env });
  }
  await load.stop();
  t.diagnostic(`${load.acknowledged.size} requests acknowledged over ${kills} kills`);
  assert.ok(load.acknowledged.size > kills);
  await inspect(url, load);

  // What a killed server was sending is sent by another one when its lease has ended.
  await queryPostgres(url, "UPDATE outbox SET leased_until = now() WHERE lease IS NOT NULL");
  assert.equal((await postJson(servers[0]!.url, "/api/contact", contactTyped)).status, 201);
  await until(async () => {
    const due = "SELECT 1 FROM outbox WHERE status = 'pending' AND kind = 'request'";
    return (await queryPostgres(url, due)).length === 0;
  }, 60_000);
  const due = await queryPostgres<{ message_id: string; reference: string; status: string }>(
    url,
    "SELECT message_id, reference, status FROM outbox WHERE kind = 'request'",
  );
  // A server that has lived for 60 emails sums up the others, in an email that is due within the hour.
  await queryPostgres(url, "UPDATE outbox SET next_attempt_at = now() WHERE kind = 'summary'");
  const later = { ...contactTyped, message: "Do you mark essays of 2,000 words?" };
  assert.equal((await postJson(servers[0]!.url, "/api/contact", later)).status, 201);
  await until(async () => {
    const summaries =
      "SELECT 1 FROM outbox WHERE status = 'pending' AND kind = 'summary' AND next_attempt_at <= now()";
    return (await queryPostgres(url, summaries)).length === 0;
  }, 120_000);
  const lost = due.filter(
    ({ message_id, reference, status }) =>
      !mail.emails.some(({ messageId, text }) =>
        status === "summed up" ? text!.includes(reference) : messageId!.includes(message_id),
      ),
  );
  assert.deepEqual(lost, []);
  const ids = mail.emails.map(({ messageId }) => messageId!);
  const repeated = ids.length - new Set(ids).size;
  t.diagnostic(`${ids.length} emails, ${repeated} of them again after a kill`);
  assert.ok(repeated <= kills);
});

test("the primary is killed under load: every acknowledged request is stored once and whole", async (t) => {
  const { url, primaryUrl, failOver } = await startReplicated(t);
  const env = { RUBRICON_DATABASE_URL: url };
  const servers = await Promise.all([0, 1].map(() => startServer(t, { env })));
  const load = startLoad(() => servers);
  let before = 0;
  for (let count = 0; count < failovers; count += 1) {
    await until(() => load.acknowledged.size > before + 5, 60_000);
    await sleep(Math.random() * 500);
    await failOver();
    before = load.acknowledged.size;
  }
  await until(() => load.acknowledged.size > before + 5, 60_000);
  await load.stop();
  t.diagnostic(`${load.acknowledged.size} requests acknowledged over ${failovers} failovers`);
  await inspect(primaryUrl(), load);
});

test("without the standby of its database a server takes no request until it is back", async (t) => {
  const { url, setStandby } = await startReplicated(t);
  const server = await startServer(t, { env: { RUBRICON_DATABASE_URL: url } });
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  await setStandby(false);
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 503);
  assert.match(server.log(), / warn not ready: database: .*cannot be used/);
  const post = () => postJson(server.url, "/api/contact", contactTyped);
  const rejected = await post();
  assert.equal(rejected.status, 503);
  assert.ok(rejected.headers.get("Retry-After"));
  assert.equal((await fetch(server.url)).status, 200, "pages need no database");
  await setStandby(true);
  const accepted = await until(async () => {
    const response = await post();
    return response.status === 201 ? response : undefined;
  });
  const reference = await referenceIn(accepted);
  const receipt = await fetch(`${server.url}/?received=${reference}`);
  assert.equal(receipt.status, 200);
});
