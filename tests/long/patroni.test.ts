/** Two servers behind HAProxy on the Patroni cluster of docs/scaling.md, by TLS. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startHaproxy } from "../support/balancers.ts";
import { succeeded } from "../support/output-of.ts";
import { startPatroni } from "../support/patroni.ts";
import { queryPostgres } from "../support/postgres.ts";
import { newFolder, runCommand, startServer, until } from "../support/server.ts";
import { inspect, startLoad } from "../support/several-servers.ts";

const kills = 10;

test("Patroni's primary is killed under load: every acknowledged request is stored once and whole", async (t) => {
  const cluster = await startPatroni(t);
  await queryPostgres(cluster.primaryUrlOf("postgres"), "CREATE DATABASE rubricon");
  const url = cluster.urlOf("rubricon");
  const env = { RUBRICON_DATABASE_URL: url, RUBRICON_TRUSTED_PROXIES: "127.0.0.1" };
  const servers = await Promise.all([0, 1].map(() => startServer(t, { env })));
  const balancer = await startHaproxy(t, servers);
  const load = startLoad(() => [{ url: balancer }, ...servers]);
  const untilAcknowledged = async (more: number) => {
    const before = load.acknowledged.size;
    await until(() => load.acknowledged.size > before + more, 120_000);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    await untilAcknowledged(5);
    await cluster.untilSynchronous();
    await sleep(Math.random() * 500);
    await (kill % 2 ? cluster.killNode() : cluster.killPrimary());
  }
  await untilAcknowledged(5);
  await load.stop();
  t.diagnostic(`${load.acknowledged.size} requests acknowledged over ${kills} kills`);
  await inspect(cluster.primaryUrlOf("rubricon"), load);

  await t.test("commands connect by TLS if they trust the cluster's authority", async (t) => {
    await cluster.untilSynchronous();
    const doctor = await runCommand(newFolder(t), ["doctor"], env);
    assert.match(doctor.out, /PostgreSQL .*, TLSv[\d.]+, schema current/);
    const withoutAuthority = url.replace(/&sslrootcert=.*/, "");
    const rejected = await runCommand(newFolder(t), ["requests", "list"], {
      RUBRICON_DATABASE_URL: withoutAuthority,
    });
    assert.equal(rejected.code, 78, rejected.err);
    assert.match(rejected.err, /sslrootcert/);
    await succeeded(
      runCommand(newFolder(t), ["requests", "list"], {
        RUBRICON_DATABASE_URL: withoutAuthority,
        SSL_CERT_FILE: /sslrootcert=(.*)/.exec(url)![1]!,
      }),
    );
  });
});
