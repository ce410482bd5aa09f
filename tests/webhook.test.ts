import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parseSettings } from "../app/server/config/settings.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { column, columns } from "./support/columns.ts";
import { contactTyped, postJson, referenceIn } from "./support/forms.ts";
import { type Output, succeeded } from "./support/output-of.ts";
import {
  emptyServer,
  localMetrics,
  newFolder,
  runCommand,
  type Server,
  startServer,
  until,
} from "./support/server.ts";
import { startReceiver, webhookSecret, webhookSettings } from "./support/webhook-receiver.ts";

const guide = readFileSync(path.join(import.meta.dirname, "../docs/operating.md"), "utf8");

/** Runs the check that the guide gives to authors of receivers; undefined if there is no Python. */
function checkAsDocumented(secret: string, headers: object, body: string): boolean | undefined {
  const [, example] = /```python\n(.*?)```/s.exec(guide)!;
  const script = `${example}
import json, sys
headers, body = json.load(sys.stdin)
print(is_genuine("${secret}", headers, body.encode()))`;
  const input = JSON.stringify([headers, body]);
  const { error, stdout, stderr } = spawnSync("python3", ["-c", script], {
    input,
    encoding: "utf8",
  });
  if (error) return undefined;
  assert.equal(stderr, "");
  return stdout === "True\n";
}

async function post(server: Server, more: Record<string, string> = {}, query = "") {
  const typed = { ...contactTyped, message: `Message ${Math.random()}`, ...more };
  const response = await postJson(server.url, `/api/contact${query}`, typed);
  assert.equal(response.status, 201);
  return await referenceIn(response);
}

const statuses = (server: Server) =>
  server.query<{ status: string }>("SELECT status FROM outbox WHERE kind = 'webhook' ORDER BY id");

test("a webhook reaches its receiver after an error and kill -9, always under one id", async (t) => {
  const receiver = await startReceiver(t, [503, "silence"]);
  const { env, deliveries, ids, references } = receiver;
  const server = await startServer(t, { env });
  const reference = await post(server);
  await until(() => deliveries.length === 2);
  assert.match(
    server.log(),
    /warn webhook \S+ could not be sent; next attempt in 5 seconds: HTTP 503/,
  );
  await server.stop("SIGKILL");

  const again = await startServer(t, { folder: server.folder, env });
  // Another server waits until the lease of the killed one has ended.
  await again.change("UPDATE outbox SET leased_until = '2026-01-01T00:00:00.000Z'");
  const second = await post(again);
  await until(async () => (await statuses(again)).every(({ status }) => status === "sent"));
  assert.deepEqual(references(), [reference, reference, reference, second]);
  assert.equal(new Set(ids().slice(0, 3)).size, 1);
  assert.notEqual(ids()[3], ids()[0]);
});

const sharedSending = once(async () => {
  const receiver = await startReceiver(wholeFile);
  return { server: await startServer(wholeFile, { env: receiver.env }), ...receiver };
});

/** A request on a server of this file that sends webhooks, with its webhook as it was received. */
async function sentRequest() {
  const { server, deliveries } = await sharedSending();
  const reference = await post(server);
  const delivery = await until(() => deliveries.find(({ body }) => body.includes(reference)));
  return { server, reference, delivery };
}

test("a webhook names the request and nothing that was typed", async () => {
  const { server, reference, delivery } = await sentRequest();
  const [{ at, id }] = (await server.query(
    `SELECT created_at AS at, message_id AS id FROM outbox WHERE kind = 'webhook' AND reference = '${reference}'`,
  )) as [{ at: string | Date; id: string }];
  const { method, path: url, headers, body } = delivery;
  assert.deepEqual([method, url], ["POST", "/hooks/marking"]);
  assert.deepEqual([headers["content-type"], headers["webhook-id"]], ["application/json", id]);
  assert.deepEqual(JSON.parse(body), {
    type: "request.received",
    timestamp: new Date(at).toISOString(),
    data: { reference, form: "contact", requestType: "contact" },
  });
});

test("a webhook is signed as the guide says", async (t) => {
  const { headers, body } = (await sentRequest()).delivery;
  const isGenuine = checkAsDocumented(webhookSecret, headers, body);
  if (isGenuine === undefined) return t.skip("there is no Python");
  assert.ok(isGenuine);
  assert.equal(checkAsDocumented(webhookSecret, headers, body.replace("contact", "demo")), false);
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  const other = { ...headers, "webhook-timestamp": later };
  assert.equal(checkAsDocumented(webhookSecret, other, body), false);
});

test("a webhook is shown and erased with its request", async () => {
  const { server, reference } = await sentRequest();
  await until(async () => (await statuses(server)).every(({ status }) => status === "sent"));
  const shown = await runCommand(server.folder, ["requests", "show", reference]);
  assert.match(shown.out, /^ {2}to the team {2}pending .*\n {2}webhook {2}sent /m);
  await succeeded(runCommand(server.folder, ["subject", "erase", contactTyped.email, "--yes"]));
  assert.deepEqual(await server.query("SELECT 1 FROM outbox"), []);
});

/** A server with a webhook that its receiver has redirected, and one of a request in quarantine. */
const delayed = once(async () => {
  const receiver = await startReceiver(wholeFile, [307]);
  const env = { ...receiver.env, ...localMetrics };
  const server = await startServer(wholeFile, { env });
  const spam = await post(server, { homepage: "https://spam.example" });
  await post(server, {}, "?test");
  await post(server, {}, "?test=mail");
  const redirected = await post(server);
  const attempted = "kind = 'webhook' AND attempts = 1";
  await until(async () => (await server.query(`SELECT 1 FROM outbox WHERE ${attempted}`)).length);
  // The next attempt is due in five seconds, and a command may take longer.
  const later = new Date(Date.now() + 600_000).toISOString();
  await server.change(`UPDATE outbox SET next_attempt_at = '${later}' WHERE ${attempted}`);
  const outbox = (...args: string[]) => runCommand(server.folder, ["outbox", ...args], env);
  const listed = JSON.parse((await outbox("list", "--json")).out).filter(
    ({ kind }: { kind: string }) => kind === "webhook",
  ) as { id: number; reference: string; status: string; lastError: string | null }[];
  return { receiver, server, spam, redirected, outbox, listed };
});

test("a webhook is pending after a redirect, on hold for spam, and absent for a test", async () => {
  const { receiver, spam, redirected, listed } = await delayed();
  assert.deepEqual(column(receiver.deliveries, "path"), ["/hooks/marking"], "not to /elsewhere");
  assert.deepEqual(columns(listed, "reference", "status", "lastError"), [
    [redirected, "pending", "the receiver responded with 307"],
    [spam, "on hold", null],
  ]);
});

test("metrics count webhooks and emails apart", async () => {
  const { server } = await delayed();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^rubricon_webhooks\{status="on_hold"\} 1$/m);
  assert.match(metrics, /^rubricon_webhooks\{status="pending"\} 1$/m);
  assert.match(metrics, /^rubricon_oldest_pending_webhook_age_seconds /m);
  assert.match(metrics, /^rubricon_emails\{status="pending"\} 2$/m);
});

test("a webhook is sent once it is retried, or its request released from quarantine", async () => {
  const { receiver, server, spam, redirected, outbox, listed } = await delayed();
  const { err } = await outbox("retry", String(listed[0]!.id));
  assert.match(err, /^1 webhook due now\. A running server sends within a minute\.$/m);
  await succeeded(runCommand(server.folder, ["requests", "not-spam", spam]));
  // A new request wakes the outbox worker.
  const next = await post(server);
  await until(() => receiver.deliveries.length === 4);
  assert.deepEqual(receiver.references().slice(1).sort(), [redirected, spam, next].sort());
  assert.equal(new Set(receiver.ids()).size, 3);
});

test("without a receiver there are no webhooks", async () => {
  const server = await emptyServer();
  await post(server);
  assert.deepEqual(await statuses(server), []);
  assert.doesNotMatch((await runCommand(server.folder, ["doctor"])).out, /webhook/);
});

test("webhook test without a receiver names its setting", async (t) => {
  const { code, err } = await runCommand(newFolder(t), ["webhook", "test"]);
  assert.equal(code, 78);
  assert.match(err, /RUBRICON_WEBHOOK_URL/);
});

test("doctor says whether the receiver responds, and sends it nothing", async (t) => {
  const receiver = await startReceiver(t);
  const doctor = async (env: Record<string, string>) =>
    (await runCommand(newFolder(t), ["doctor"], env)).out;
  assert.match(await doctor(receiver.env), /^ok +webhook +the receiver responds$/m);
  assert.equal(receiver.deliveries.length, 0);
  assert.match(await doctor(webhookSettings()), /^FAIL +webhook +connect ECONNREFUSED/m);
});

test("a test webhook says that it is one, and its command what the receiver responded", async (t) => {
  const receiver = await startReceiver(t, [204, 401, 500]);
  const tests: Output[] = [];
  for (let count = 0; count < 3; count += 1)
    tests.push(await runCommand(newFolder(t), ["webhook", "test"], receiver.env));
  assert.deepEqual(
    tests.map(({ code, err }) => [code, err.trim()]),
    [
      [0, "The webhook was accepted."],
      [1, "rubricon: The webhook was not accepted: the receiver responded with 401."],
      [75, "rubricon: The webhook was not accepted: the receiver responded with 500."],
    ],
  );
  assert.equal(JSON.parse(receiver.deliveries[0]!.body).type, "test");
});

test("config show hides the path and the key of the receiver", async (t) => {
  const receiver = await startReceiver(t);
  const shown = await runCommand(newFolder(t), ["config", "show"], receiver.env);
  assert.match(shown.out, /^RUBRICON_WEBHOOK_URL=http:\/\/127\.0\.0\.1:\d+\/redacted /m);
  assert.match(shown.out, /^RUBRICON_WEBHOOK_SECRET=redacted /m);
  for (const hidden of ["hooks", webhookSecret]) assert.ok(!shown.out.includes(hidden), hidden);
});

const errorsOf = (url: string, secret = webhookSecret) => {
  const environment = { RUBRICON_WEBHOOK_URL: url, RUBRICON_WEBHOOK_SECRET: secret };
  return parseSettings({ flags: {}, file: undefined, environment }).errors;
};

test("a receiver outside the institution's network needs https", () => {
  for (const url of [
    "https://desk.school.example/hooks?key=1",
    "http://localhost:8080/hooks",
    "http://tickets/hooks",
    "http://10.1.2.3",
    "http://[::1]:80/",
  ]) {
    assert.deepEqual(errorsOf(url), [], url);
  }
  for (const url of [
    "http://desk.school.example/",
    "http://8.8.8.8/",
    "http://172.32.0.1/",
    "http://[2001:db8::1]/",
    "https://",
    "ftp://10.0.0.1/",
    "https://desk.school.example/#part",
  ]) {
    assert.match(errorsOf(url).join(), /^RUBRICON_WEBHOOK_URL must be https:\/\//, url);
  }
});

test("the key of a receiver is whsec_ and 24 to 64 bytes", () => {
  const keyOf = (bytes: number) => `whsec_${Buffer.alloc(bytes).toString("base64")}`;
  for (const bytes of [24, 64])
    assert.deepEqual(errorsOf("https://a.example", keyOf(bytes)), [], `${bytes} bytes`);
  for (const secret of [keyOf(23), keyOf(65), "secret", webhookSecret.replace("whsec_", "")]) {
    const said = errorsOf("https://a.example", secret).join();
    assert.match(said, /^RUBRICON_WEBHOOK_SECRET must be whsec_/, secret);
  }
});

test("the address and the key of a receiver are needed together", () => {
  assert.match(errorsOf("https://a.example", "").join(), /are needed together\.$/);
  assert.match(errorsOf("").join(), /are needed together\.$/);
});
