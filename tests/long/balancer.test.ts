/** Two servers behind the balancers of docs/scaling.md, and one behind PgBouncer. */
import assert from "node:assert/strict";
import { chownSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runPackaged, startHaproxy, startNginx } from "../support/balancers.ts";
import { contactTyped, postJson } from "../support/forms.ts";
import { freePort } from "../support/free-port.ts";
import { newDatabase, postgresServer, queryPostgres, startPostgres } from "../support/postgres.ts";
import { newFolder, startServer, until } from "../support/server.ts";
import { threeFiles, uploadByApi, uploadForm } from "../support/upload.ts";

for (const [name, start] of [
  ["HAProxy", startHaproxy],
  ["nginx", startNginx],
] as const) {
  test(`${name} passes requests on to a server that runs, even one without its database`, async (t) => {
    const postgres = await startPostgres();
    const env = {
      RUBRICON_DATABASE_URL: postgres.urlOf("postgres"),
      RUBRICON_TRUSTED_PROXIES: "127.0.0.1",
    };
    const servers = await Promise.all([0, 1].map(() => startServer(t, { env })));
    const url = await start(t, servers);
    const post = (count: number) =>
      postJson(url, "/api/contact", { ...contactTyped, message: `Question ${count}` });
    for (let count = 0; count < 10; count += 1) assert.equal((await post(count)).status, 201);
    const stored = await queryPostgres(
      postgres.urlOf("postgres"),
      "SELECT 1 FROM contact_requests",
    );
    assert.equal(stored.length, 10);

    await servers[0]!.stop("SIGKILL");
    await until(async () => (await post(100).catch(() => undefined))?.status === 201);
    await servers[1]!.stop("SIGKILL");
    servers[0] = await startServer(t, { env: { ...env, PORT: new URL(servers[0]!.url).port } });
    await until(async () => (await post(200).catch(() => undefined))?.status === 201);

    postgres.process.kill("SIGKILL");
    await until(async () => (await post(300)).status === 503);
    assert.equal((await fetch(url)).status, 200);
  });
}

test("a server works through PgBouncer in transaction mode", async (t) => {
  const { port: serverPort } = await postgresServer();
  const direct = await newDatabase(t);
  const folder = newFolder(t);
  const port = await freePort();
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=site
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
default_pool_size = 3
unix_socket_dir =
`,
  );
  chownSync(folder, 65534, 65534);
  runPackaged(t, "pgbouncer", ["-q", file]);
  const env = {
    RUBRICON_DATABASE_URL: `postgres://site@127.0.0.1:${port}${new URL(direct).pathname}`,
  };
  const server = await startServer(t, { env });
  const posts = Array.from({ length: 40 }, async (_, count) => {
    const typed = { ...contactTyped, message: `Question ${count}` };
    const response =
      count % 4
        ? await postJson(server.url, "/api/contact", typed)
        : await uploadByApi(server.url, uploadForm(threeFiles()));
    return response.status;
  });
  assert.deepEqual(new Set(await Promise.all(posts)), new Set([201]));
  assert.equal((await queryPostgres(direct, "SELECT 1 FROM contact_requests")).length, 40);
});
