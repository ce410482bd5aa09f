import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { wholeFile } from "../support/at-end.ts";
import { contactTyped, postJson, referenceIn } from "../support/forms.ts";
import { startMailServer } from "../support/mail-server.ts";
import { succeeded } from "../support/output-of.ts";
import { newFolder, query, runCommand, startServer, until } from "../support/server.ts";
import { type Trouble, troubledMailServer } from "../support/troubled-mail-server.ts";
import { uploaded } from "../support/upload.ts";

const team = {
  RUBRICON_MAIL_FROM: "site@team.example",
  RUBRICON_MAIL_TO: "a@team.example, b@team.example",
};

const outbox = (databaseFile: string) =>
  query<{ message_id: string; status: string; attempts: number; last_error: string | null }>(
    databaseFile,
    "SELECT * FROM outbox ORDER BY id",
  );

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

/** Sends an email through each trouble. Returns the server, and how often each email has arrived. */
async function sendThroughTroubles() {
  const mailServer = await startMailServer(wholeFile);
  const troubled = troubledMailServer(wholeFile, mailServer.port, troubles);
  const port = await troubled.listen(0);
  await troubled.close();
  const server = await startServer(wholeFile, {
    env: {
      ...team,
      RUBRICON_MAIL_URL: `smtp://site:secret-4711@127.0.0.1:${port}`,
    },
  });
  const emails = () => outbox(server.databaseFile);
  const references: string[] = [];
  const send = async (message: string) => {
    references.push(
      await referenceIn(await postJson(server.url, "/api/contact", { ...contactTyped, message })),
    );
  };

  await send("Nothing listens on the port.");
  await until(() => emails()[0]!.attempts === 1);

  const tls = await startMailServer(wholeFile, { secure: true });
  const tcpRelay = createServer((client) => {
    const server = connect(tls.port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("close", () => server.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => tcpRelay.listen(port, "127.0.0.1", resolve));
  await send("The server speaks TLS from its first byte.");
  await until(() => emails()[1]!.attempts === 1);
  await new Promise((resolve) => tcpRelay.close(resolve));

  await troubled.listen(port);
  for (const { what } of troubles) await send(`The server ${what}.`);
  await until(() => emails().every(({ status }) => status === "sent"), 300_000);
  assert.deepEqual(troubled.left, [], "every trouble was met");
  const copiesOf = (reference: string) =>
    mailServer.emails.filter(({ subject }) => subject!.includes(reference)).length;
  return { server, copies: references.map(copiesOf) };
}

let troubledRun: ReturnType<typeof sendThroughTroubles> | undefined;

/** As `sendThroughTroubles` did the first time: it takes minutes. */
const afterTroubles = () => {
  troubledRun ??= sendThroughTroubles();
  return troubledRun;
};

test("every email arrives once the mail server has no fault any more", async () => {
  const { copies } = await afterTroubles();
  assert.equal(copies.length, troubles.length + 2);
  assert.ok(!copies.includes(0), `copies of each email: ${copies}`);
});

test("one email is sent twice, as one was accepted without a reply, and each other once", async () => {
  const { copies } = await afterTroubles();
  assert.deepEqual(copies.toSorted(), [...new Array(troubles.length + 1).fill(1), 2]);
});

test("each trouble of a mail server is logged with its code, without what the server said", async () => {
  const { server } = await afterTroubles();
  const warning =
    / warn email \S+ could not be sent; next attempt in \d+ seconds: (E[A-Z]+(?: \d+)?)$/gm;
  const codes = [...server.log().matchAll(warning)].map(([, code]) => code);
  assert.ok(codes.length >= troubles.length + 2, `only ${codes} were logged`);
  for (const code of ["ECONNECTION", "ETIMEDOUT", "EPROTOCOL 421", "EAUTH 535", "EMESSAGE 452"])
    assert.ok(codes.includes(code), `${code} is none of ${codes}`);
  assert.doesNotMatch(server.log(), /@|secret|busy|HTTP\/1\.1|who are you|greylisted|no such|disk/);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();

/**
 * Starts a server, whose mail server cannot be reached, on an email whose row was changed as `change` says.
 * @param change the assignments of an UPDATE
 */
async function startWithUnsent(t: TestContext, change: string) {
  const folder = newFolder(t);
  const first = await startServer(t, { folder });
  const reference = await uploaded(first);
  await first.stop();
  await first.change(`UPDATE outbox SET ${change}`);
  const env = { ...team, RUBRICON_MAIL_URL: "smtp://127.0.0.1:9" };
  const server = await startServer(t, { folder, env });
  return { server, reference, email: () => outbox(server.databaseFile)[0]! };
}

/** What is stored of an email that was first tried so many hours ago, and is due. */
const firstTried = (hours: number, attempts = 55) =>
  `first_attempt_at = '${hoursAgo(hours)}', next_attempt_at = '${hoursAgo(1)}', attempts = ${attempts}`;

test("the time of an email before its first attempt does not count", async (t) => {
  const waited = `created_at = '${hoursAgo(300)}', ${firstTried(1)}`;
  const { email } = await startWithUnsent(t, waited);
  await until(() => email().attempts === 56);
  assert.equal(email().status, "pending");
});

test("an email that was tried once, eleven years ago by a wrong clock, is tried on", async (t) => {
  const { email } = await startWithUnsent(t, firstTried(96_000, 1));
  await until(() => email().attempts === 2);
  assert.equal(email().status, "pending");
});

test("an email that could not be sent for 48 hours fails with a log line, and its request stays", async (t) => {
  const { server, reference, email } = await startWithUnsent(t, firstTried(49));
  await until(() => email().status === "failed");
  const logged = new RegExp(`error email ${reference} failed after 56 attempts in 49 hours`);
  // The server logs the failure after it has stored it.
  await until(() => logged.test(server.log()));
  assert.equal(query(server.databaseFile, "SELECT * FROM contact_requests").length, 1);
});

/** Starts a server on an email whose second recipient was rejected for 48 hours, and waits for the last attempt. */
async function startWithRejected(t: TestContext) {
  const folder = newFolder(t);
  const mail = await startMailServer(t, { rejectRecipient: (address) => address.startsWith("b@") });
  const env = { RUBRICON_MAIL_URL: mail.url, ...team };
  const first = await startServer(t, { folder, env });
  const reference = await uploaded(first);
  await until(() => outbox(first.databaseFile)[0]!.attempts === 1);
  await first.stop();
  await first.change(`UPDATE outbox SET ${firstTried(49)}`);

  const second = await startServer(t, { folder, env });
  await until(() => outbox(second.databaseFile)[0]!.status === "sent");
  return { folder, mail, env, reference, server: second };
}

test("an email that one of two recipients rejects for 48 hours is sent, and the other is logged and listed", async (t) => {
  const { folder, reference, server } = await startWithRejected(t);
  const failure = `error email ${reference} failed for 1 of 2 recipients after 56 attempts in 49 hours`;
  await until(() => server.log().includes(failure));
  const list = await runCommand(folder, ["outbox", "list"]);
  assert.match(list.out, /sent {4}56 .* 550 no such user b@team\.example\n/);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
});

test("a retry sends an email to the recipient that has replaced a rejected one, and to no other", async (t) => {
  const { folder, mail, env, server } = await startWithRejected(t);
  await server.stop();
  await succeeded(runCommand(folder, ["outbox", "retry", "1"]));
  const changed = { ...env, RUBRICON_MAIL_TO: "a@team.example, c@team.example" };
  const third = await startServer(t, { folder, env: changed });
  await until(() => mail.emails.length === 2);
  assert.deepEqual(mail.emails[1]!.recipients, ["c@team.example"]);
  await until(() => outbox(third.databaseFile)[0]!.last_error === null);
});
