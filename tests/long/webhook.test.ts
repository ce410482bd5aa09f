import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateIn } from "../support/certificate.ts";
import { contactTyped, postJson } from "../support/forms.ts";
import { newFolder, runCommand, startServer, until } from "../support/server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

test("doctor fails on a receiver whose certificate is not trusted", async (t) => {
  const folder = newFolder(t);
  const { env } = await startReceiver(t, [], certificateIn(folder).tls);
  const doctor = await runCommand(folder, ["doctor"], env);
  assert.match(doctor.out, /^FAIL +webhook +self-signed certificate/m);
});

test("a receiver that did not answer is tried again under the same id, over TLS", async (t) => {
  const { tls, certFile } = certificateIn(newFolder(t));
  const receiver = await startReceiver(t, ["silence"], tls);
  const server = await startServer(t, { env: { ...receiver.env, SSL_CERT_FILE: certFile } });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  await until(() => receiver.deliveries.length === 2, 60_000);
  assert.match(server.log(), /warn webhook \S+ could not be sent; .*: ETIMEDOUT/);
  assert.equal(new Set(receiver.ids()).size, 1);
});
