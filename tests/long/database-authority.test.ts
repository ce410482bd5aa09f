import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { TLSSocket } from "node:tls";
import type { Scope } from "../support/at-end.ts";
import { certificateIn } from "../support/certificate.ts";
import { listen } from "../support/free-port.ts";
import { newFolder, runCommand } from "../support/server.ts";

/** Starts a database server that starts TLS and rejects each account. Returns its port. */
function startRejecting(t: Scope, tls: { key: Buffer; cert: Buffer }): Promise<number> {
  const fields = Buffer.from("SFATAL\0C28000\0Mthe account is rejected\0\0");
  const rejection = Buffer.concat([Buffer.from("E\0\0\0"), Buffer.of(fields.length + 4), fields]);
  const server = createServer((socket) => {
    // The client asks whether the server has TLS.
    socket.once("data", () => {
      const secured = new TLSSocket(socket, { isServer: true, ...tls });
      secured.on("error", () => {}).once("data", () => secured.end(rejection));
      socket.write("S");
    });
  });
  return listen(t, server);
}

test("a database is trusted by NODE_EXTRA_CA_CERTS, unless its URL names the authority", async (t) => {
  const folder = newFolder(t);
  const [own, other] = [certificateIn(folder, "own"), certificateIn(folder, "other")];
  const port = await startRejecting(t, own.tls);
  const url = `postgres://site@localhost:${port}/exams?sslmode=verify-full`;
  const connect = async (query: string, authority?: string) => {
    const { out, err } = await runCommand(folder, ["doctor"], {
      RUBRICON_DATABASE_URL: url + query,
      ...(authority && { NODE_EXTRA_CA_CERTS: authority }),
    });
    return out + err;
  };
  const untrusted = /its certificate is not trusted/;
  assert.match(await connect(""), untrusted);
  assert.match(await connect("", own.certFile), /the account is rejected/);
  assert.match(await connect(`&sslrootcert=${own.certFile}`), /the account is rejected/);
  assert.match(await connect(`&sslrootcert=${other.certFile}`, own.certFile), untrusted);
});
