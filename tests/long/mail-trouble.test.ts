import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { contactTyped, postJson, referenceIn } from "../support/forms.ts";
import { startMailServer } from "../support/mail-server.ts";
import { query, startServer, until } from "../support/server.ts";
import { type Trouble, troubledMailServer } from "../support/troubled-mail-server.ts";

const troubles: Trouble[] = [
  { what: "hangs before its greeting", at: "greeting", response: "silence" },
  { what: "hangs up at once", at: "greeting", response: "hang up" },
  { what: "greets with 421", at: "greeting", response: "421 4.3.2 too busy\r\n" },
  {
    what: "greets with nonsense",
    at: "greeting",
    response: Buffer.from("\0\xff HTTP/1.1 200 OK\r\n"),
  },
  { what: "rejects the password", at: /^AUTH/, response: "535 5.7.8 who are you\r\n" },
  { what: "hangs after MAIL", at: /^MAIL/, response: "silence" },
  { what: "says 451 at RCPT", at: /^RCPT/, response: "451 4.7.1 greylisted a@team.example\r\n" },
  { what: "says 550 at RCPT", at: /^RCPT/, response: "550 5.1.1 no such a@team.example\r\n" },
  { what: "says 452 after DATA", at: /^\.\r\n/, response: "452 4.3.1 disk full\r\n" },
  { what: "hangs up in the middle of a message", at: /^Subject:/i, response: "hang up" },
  {
    what: "accepts the message and hangs up before it says so",
    at: /^\.\r\n/,
    response: "hang up once the server has it",
  },
];

test("a mail server with eleven faults, one that only speaks TLS, and none at all: every post succeeds, and every email arrives later", async (t) => {
  const mailServer = await startMailServer(t);
  const troubled = troubledMailServer(t, mailServer.port, troubles);
  const port = await troubled.listen(0);
  await troubled.close();
  const server = await startServer(t, {
    env: {
      RUBRICON_MAIL_URL: `smtp://site:secret-4711@127.0.0.1:${port}`,
      RUBRICON_MAIL_FROM: "site@team.example",
      RUBRICON_MAIL_TO: "a@team.example, b@team.example",
    },
  });
  const outbox = () =>
    query<{ reference: string; message_id: string; status: string; attempts: number }>(
      server.databaseFile,
      "SELECT * FROM outbox ORDER BY id",
    );
  const references: string[] = [];
  const send = async (message: string) => {
    references.push(
      await referenceIn(await postJson(server.url, "/api/contact", { ...contactTyped, message })),
    );
  };

  await send("Nothing listens on the port.");
  await until(() => outbox()[0]!.attempts === 1);

  const tls = await startMailServer(t, { secure: true });
  const tcpRelay = createServer((client) => {
    const server = connect(tls.port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("close", () => server.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => tcpRelay.listen(port, "127.0.0.1", resolve));
  await send("The server speaks TLS from its first byte.");
  await until(() => outbox()[1]!.attempts === 1);
  await new Promise((resolve) => tcpRelay.close(resolve));

  await troubled.listen(port);
  for (const { what } of troubles) await send(`The server ${what}.`);
  await until(() => outbox().every(({ status }) => status === "sent"), 300_000);
  assert.deepEqual(troubled.left, [], "every trouble was met");
  assert.equal((await fetch(server.url)).status, 200);

  const ids = outbox().map(({ message_id }) => message_id);
  const arrived = mailServer.emails.map(({ messageId }) =>
    ids.findIndex((id) => messageId!.includes(id)),
  );
  for (const [index, reference] of references.entries()) {
    const copies = mailServer.emails.filter(({ subject }) => subject!.includes(reference));
    assert.ok(copies.length >= 1, `email ${index} is lost`);
  }
  const duplicates = arrived.filter((email, index) => arrived.indexOf(email) !== index);
  assert.equal(duplicates.length, 1, "only the email accepted without a reply is sent twice");
  assert.equal(new Set(arrived).size, troubles.length + 2);

  const warnings = server.log().match(/ warn email .*/g) ?? [];
  assert.ok(warnings.length >= troubles.length + 2, "each trouble is logged");
  assert.doesNotMatch(
    server.log(),
    /@|secret|greylisted|no such/,
    "the log does not quote the server",
  );
});
