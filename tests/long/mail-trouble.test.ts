import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { contactTyped, postJson } from "../support/forms.ts";
import { startMailServer } from "../support/mail-server.ts";
import { query, startServer, until } from "../support/server.ts";
import { type Trouble, troubledMailServer } from "../support/troubled-mail-server.ts";

const troubles: Trouble[] = [
  { what: "hangs before its greeting", at: "greeting", answer: "silence" },
  { what: "hangs up at once", at: "greeting", answer: "hang up" },
  { what: "greets with 421", at: "greeting", answer: "421 4.3.2 too busy\r\n" },
  {
    what: "greets with nonsense",
    at: "greeting",
    answer: Buffer.from("\0\xff HTTP/1.1 200 OK\r\n"),
  },
  { what: "refuses the password", at: /^AUTH/, answer: "535 5.7.8 who are you\r\n" },
  { what: "hangs after MAIL", at: /^MAIL/, answer: "silence" },
  { what: "says 451 at RCPT", at: /^RCPT/, answer: "451 4.7.1 greylisted a@team.example\r\n" },
  { what: "says 550 at RCPT", at: /^RCPT/, answer: "550 5.1.1 no such a@team.example\r\n" },
  { what: "says 452 after DATA", at: /^\.\r\n/, answer: "452 4.3.1 disk full\r\n" },
  { what: "hangs up in mid-letter", at: /^Subject:/i, answer: "hang up" },
  {
    what: "takes the letter and hangs up before it says so",
    at: /^\.\r\n/,
    answer: "hang up once the server has it",
  },
];

test("a mail server in eleven kinds of trouble, one that only speaks TLS, and none at all: every visitor is thanked and every letter arrives", async (t) => {
  const well = await startMailServer(t);
  const troubled = troubledMailServer(t, well.port, troubles);
  const port = await troubled.listen(0);
  await troubled.close();
  const server = await startServer(t, {
    env: {
      RUBRICON_MAIL_URL: `smtp://site:secret-4711@127.0.0.1:${port}`,
      RUBRICON_MAIL_FROM: "site@team.example",
      RUBRICON_MAIL_TO: "a@team.example, b@team.example",
      RUBRICON_MAIL_SECONDS: "3",
    },
  });
  const outbox = () =>
    query<{ reference: string; message_id: string; status: string; attempts: number }>(
      server.databaseFile,
      "SELECT * FROM outbox ORDER BY id",
    );
  const references: string[] = [];
  const send = async (message: string) => {
    const answer = await postJson(server.url, "/api/contact", { ...contactTyped, message });
    assert.equal(answer.status, 201);
    references.push(((await answer.json()) as { reference: string }).reference);
  };

  await send("Nobody listens at the port.");
  await until(() => outbox()[0]!.attempts === 1);

  const tls = await startMailServer(t, { secure: true });
  const detour = createServer((client) => {
    const server = connect(tls.port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("close", () => server.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => detour.listen(port, "127.0.0.1", resolve));
  await send("The server speaks TLS from its first byte.");
  await until(() => outbox()[1]!.attempts === 1);
  await new Promise((resolve) => detour.close(resolve));

  await troubled.listen(port);
  for (const { what } of troubles) await send(`The server ${what}.`);
  await until(() => outbox().every(({ status }) => status === "sent"), 45_000);
  assert.deepEqual(troubled.left, [], "every trouble was met");
  assert.equal((await fetch(server.url)).status, 200);

  const ids = outbox().map(({ message_id }) => message_id);
  const arrived = well.emails.map(({ messageId }) =>
    ids.findIndex((id) => messageId!.includes(id)),
  );
  for (const [email, reference] of references.entries()) {
    const copies = well.emails.filter(({ subject }) => subject!.includes(reference));
    assert.ok(copies.length >= 1, `letter ${email} is lost`);
  }
  const twice = arrived.filter((email, place) => arrived.indexOf(email) !== place);
  assert.equal(twice.length, 1, "only what the server took without saying so comes twice");
  assert.equal(new Set(arrived).size, troubles.length + 2);

  const warnings = server.log().match(/ warn letter .*/g) ?? [];
  assert.ok(warnings.length >= troubles.length + 2, "each trouble is told");
  assert.doesNotMatch(server.log(), /@|secret|greylisted|no such/, "without what the server said");
});
