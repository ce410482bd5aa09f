import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { contactTyped, postJson } from "../support/forms.ts";
import { newFolder, runCommand, startServer, until } from "../support/server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

test("a receiver that did not answer is tried again under the same id, over TLS", async (t) => {
  const folder = newFolder(t);
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    [
      ..."req -x509 -newkey rsa:2048 -noenc -days 2 -subj /CN=localhost -addext".split(" "),
      ...["subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
    ],
    { stdio: "ignore" },
  );
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const receiver = await startReceiver(t, ["silence"], tls);
  const doctor = await runCommand(folder, ["doctor"], receiver.env);
  assert.match(doctor.out, /^FAIL +webhook +self-signed certificate/m);

  const server = await startServer(t, { env: { ...receiver.env, SSL_CERT_FILE: cert } });
  assert.equal((await postJson(server.url, "/api/contact", contactTyped)).status, 201);
  await until(() => receiver.deliveries.length === 2, 60_000);
  assert.match(server.log(), /warn webhook \S+ could not be sent; .*: ETIMEDOUT/);
  assert.equal(new Set(receiver.ids()).size, 1);
});
