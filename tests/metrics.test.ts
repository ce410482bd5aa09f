import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { parseSettings } from "../app/server/config/settings.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { startWithFailedDrop } from "./support/failed-drop.ts";
import { contactTyped, postJson } from "./support/forms.ts";
import {
  localMetrics,
  newFolder,
  type Server,
  sharedServer,
  startServer,
  until,
} from "./support/server.ts";
import { startReceiver } from "./support/webhook-receiver.ts";

/** Returns the values by name and label. */
async function readMetrics({ url }: Pick<Server, "url">): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`);
  assert.equal(response.status, 200);
  const lines = (await response.text()).trimEnd().split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const parts = /^([a-z_0-9]+(?:\{[^}]*\})?) (-?[\d.e+-]+|Nan)$/.exec(line);
        assert.ok(parts, line);
        return [parts[1]!, Number(parts[2])];
      }),
  );
}

/** A server that anyone here may ask for its metrics, with one slot for uploads. */
const reportingServer = once(() =>
  startServer(wholeFile, { env: { ...localMetrics, RUBRICON_UPLOAD_SLOTS: "1" } }),
);

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(`${url}/metrics`, { headers })).status;
}

test("/metrics is a 404 unless networks are set", async () => {
  const { url } = await sharedServer();
  const metrics = await fetch(`${url}/metrics`);
  const nowhere = await fetch(`${url}/nowhere`);
  assert.equal(metrics.status, 404);
  assert.equal(await metrics.text(), await nowhere.text());
});

test("the metrics have the media type of Prometheus's text format", async () => {
  const { headers } = await fetch(`${(await reportingServer()).url}/metrics`);
  assert.equal(headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
});

test("a forwarded address may not read the metrics if its proxy is not trusted", async () => {
  const { url } = await reportingServer();
  assert.equal(await statusOf(url), 200);
  assert.equal(await statusOf(url, { "X-Forwarded-For": "127.0.0.1" }), 404);
  assert.equal(await statusOf(url, { Forwarded: "for=127.0.0.1" }), 404);
});

test("only clients in the listed networks may read the metrics", async (t) => {
  const { url } = await startServer(t, {
    env: {
      RUBRICON_METRICS_NETWORKS: "10.0.0.0/8,fd00::/8",
      RUBRICON_TRUSTED_PROXIES: "127.0.0.1,::1,192.168.1.1",
    },
  });
  for (const [forwarded, status] of [
    ["10.1.2.3", 200],
    ["fd00::17", 200],
    ["10.1.2.3, 192.168.1.1", 200],
    ["10.1.2.3, 203.0.113.9", 404],
    ["203.0.113.9", 404],
    ["2001:db8::1", 404],
    ["nonsense", 404],
    ["", 404],
  ] as const) {
    assert.equal(await statusOf(url, { "X-Forwarded-For": forwarded }), status, forwarded);
  }
  assert.equal(await statusOf(url), 404, "the proxy itself is not in an allowed network");
});

test("an invalid network is an error in the settings", () => {
  const environment = { RUBRICON_METRICS_NETWORKS: "everybody" };
  const { errors } = parseSettings({ file: undefined, flags: {}, environment });
  assert.match(errors.join(), /^RUBRICON_METRICS_NETWORKS must be IP addresses or networks/);
});

test("requests are counted by class of status", async () => {
  const server = await reportingServer();
  const before = await readMetrics(server);
  for (let i = 0; i < 5; i += 1) assert.equal((await fetch(`${server.url}/about`)).status, 200);
  assert.equal((await fetch(`${server.url}/nowhere`)).status, 404);
  const slash = await fetch(`${server.url}/about/`, { redirect: "manual" });
  assert.equal(slash.status, 308);
  assert.equal((await postJson(server.url, "/api/contact", {})).status, 422);
  const after = await readMetrics(server);
  const increase = (key: string) => after.get(key)! - before.get(key)!;
  // The first reading is counted after its own values were collected.
  assert.equal(increase('rubricon_http_requests_total{status="2xx"}'), 6);
  assert.equal(increase('rubricon_http_requests_total{status="3xx"}'), 1);
  assert.equal(increase('rubricon_http_requests_total{status="4xx"}'), 2);
  assert.equal(increase('rubricon_http_requests_total{status="5xx"}'), 0);
});

test("uploads in flight are reported until their clients disconnect, which is counted", async () => {
  const server = await reportingServer();
  const disconnected = async () =>
    (await readMetrics(server)).get('rubricon_http_requests_total{status="none"}')!;
  const before = await disconnected();
  const beginUpload = () => {
    const upload = request(`${server.url}/api/demo-request-with-files`, {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": 1_000_000 },
    });
    upload.on("error", () => {});
    upload.write("--x\r\n");
    return upload;
  };
  const uploads = [beginUpload(), beginUpload()];
  const untilUploads = (...counts: [inFlight: number, waiting: number]) =>
    until(async () => {
      const figures = await readMetrics(server);
      const found = ["in_flight", "waiting"].map((name) => figures.get(`rubricon_uploads_${name}`));
      return String(found) === String(counts);
    });
  await untilUploads(1, 1);
  for (const upload of uploads) upload.destroy();
  await untilUploads(0, 0);
  await until(async () => (await disconnected()) === before + 2);
});

/** A server whose only email is pending. @param phone makes the request no duplicate of another */
async function withOneEmail(phone: string) {
  const server = await reportingServer();
  await server.change("DELETE FROM outbox");
  const response = await postJson(server.url, "/api/contact", { ...contactTyped, phone });
  assert.equal(response.status, 201);
  return server;
}

test("emails are counted by status", async () => {
  const server = await withOneEmail("1");
  for (const [status, ...counts] of [
    ["pending", 1, 0, 0],
    ["sent", 0, 1, 0],
    ["failed", 0, 0, 1],
  ] as const) {
    await server.change(`UPDATE outbox SET status = '${status}'`);
    const figures = await readMetrics(server);
    const countOf = (each: string) => figures.get(`rubricon_emails{status="${each}"}`);
    assert.deepEqual(["pending", "sent", "failed"].map(countOf), counts, status);
  }
});

test("the oldest pending email is timed until it is sent", async () => {
  const server = await withOneEmail("2");
  const age = async () =>
    (await readMetrics(server)).get("rubricon_oldest_pending_email_age_seconds")!;
  const created = Date.now() - 3_600_000;
  await server.change(`UPDATE outbox SET created_at = '${new Date(created).toISOString()}'`);
  const seconds = await age();
  assert.ok(seconds >= 3600 && seconds <= (Date.now() - created) / 1000, `${seconds} seconds`);
  await server.change("UPDATE outbox SET status = 'sent'");
  assert.equal(await age(), 0);
});

test("a drop folder that could not be written is in /metrics, and in /readyz with its error", async (t) => {
  const { server } = await startWithFailedDrop(t);
  const response = await fetch(`${server.url}/readyz`);
  assert.equal(response.status, 200);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  assert.equal(checks["drop folder"], "ENOENT");
  assert.equal((await readMetrics(server)).get("rubricon_drop_folder_ok"), 0);
});

/** The metrics in the rules of docs/alerts.yml. */
function namesInAlerts(): string[] {
  const rules = readFileSync(path.join(import.meta.dirname, "../docs/alerts.yml"), "utf8");
  const { groups } = parse(rules) as { groups: { rules: { expr: string }[] }[] };
  return groups.flatMap(({ rules: all }) =>
    all.flatMap(({ expr }) => expr.match(/rubricon_\w+(\{[^}]*\})?/g)!),
  );
}

/** A server with a backup, a drop folder and a webhook. */
const reportingAll = once(async () => {
  const folder = newFolder(wholeFile);
  const time = new Date(Date.now() - 3_600_000).toISOString().replace(/\..*/, "Z");
  const backups = path.join(folder, "data/backups");
  mkdirSync(backups, { recursive: true });
  writeFileSync(path.join(backups, `rubricon-${time.replaceAll(":", "-")}.db`), "");
  const drop = { RUBRICON_DROP_DIR: newFolder(wholeFile) };
  const env = { ...localMetrics, ...drop, ...(await startReceiver(wholeFile)).env };
  const startedAfter = Date.now() / 1000;
  const server = await startServer(wholeFile, { folder, env });
  return { server, backupTime: Date.parse(time) / 1000, startedAfter };
});

test("the age of the newest backup is reported once there is one, beside how many hours it may have", async () => {
  assert.ok(!(await readMetrics(await reportingServer())).has("rubricon_backup_age_seconds"));
  const { server, backupTime } = await reportingAll();
  const figures = await readMetrics(server);
  const age = figures.get("rubricon_backup_age_seconds")!;
  assert.ok(age >= 3600 && age <= Date.now() / 1000 - backupTime + 1, `${age} seconds`);
  assert.equal(figures.get("rubricon_backup_hours"), 24);
});

test("the sizes of the database and its WAL are reported", async () => {
  const { server } = await reportingAll();
  const walBytes = () => statSync(`${server.databaseFile}-wal`).size;
  const walBefore = walBytes();
  const figures = await readMetrics(server);
  assert.equal(figures.get("rubricon_database_bytes"), statSync(server.databaseFile).size);
  // The WAL may grow meanwhile, because jobs write at the start.
  const wal = figures.get("rubricon_database_wal_bytes")!;
  assert.ok(wal >= walBefore && wal <= walBytes(), `${wal} bytes`);
});

test("the free space and a drop folder that can be written are reported", async () => {
  const figures = await readMetrics((await reportingAll()).server);
  assert.ok(figures.get("rubricon_disk_free_bytes")! > 1e6);
  assert.equal(figures.get("rubricon_drop_folder_ok"), 1);
});

test("each metric of docs/alerts.yml is reported", async () => {
  const keys = [...(await readMetrics((await reportingAll()).server)).keys()];
  const isReported = (name: string) =>
    keys.some((key) => key === name || key.startsWith(`${name}{`));
  assert.deepEqual(
    namesInAlerts().filter((name) => !isReported(name)),
    [],
  );
});

test("the process reports its start, memory and processor time", async () => {
  const { server, startedAfter } = await reportingAll();
  const figures = await readMetrics(server);
  assert.ok(figures.get("process_resident_memory_bytes")! > 30e6);
  assert.ok(figures.get("process_cpu_seconds_total")! > 0);
  const started = figures.get("process_start_time_seconds")!;
  assert.ok(started > startedAfter - 1 && started < Date.now() / 1000 + 1, `${started} seconds`);
});

test("no gauge of Node is reported under a counter's name, which promtool would reject", async () => {
  const keys = [...(await readMetrics(await reportingServer())).keys()];
  assert.deepEqual(
    keys.filter((key) => /^nodejs_active_\w+_total/.test(key)),
    [],
  );
});

test("the delay of the event loop is reported", async () => {
  const server = await reportingServer();
  await until(async () => {
    const delay = (await readMetrics(server)).get("nodejs_eventloop_lag_max_seconds");
    return delay !== undefined && delay >= 0 && delay < 30;
  });
});

test("metrics without a database are an empty 500, which no page may frame", async () => {
  const server = await reportingServer();
  const data = path.dirname(server.databaseFile);
  renameSync(data, `${data}-moved`);
  const failed = await fetch(`${server.url}/metrics`);
  renameSync(`${data}-moved`, data);
  assert.equal(failed.status, 500);
  assert.match(failed.headers.get("Content-Security-Policy")!, /frame-ancestors 'none'/);
  assert.equal(await failed.text(), "");
});

test("promtool finds no fault in the metrics", async (t) => {
  const { url } = await reportingServer();
  const input = await (await fetch(`${url}/metrics`)).text();
  const { status, error, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], {
    input,
    encoding: "utf8",
  });
  if (error) t.skip("promtool is not installed (Debian's package prometheus has it)");
  else assert.equal(status, 0, stdout + stderr);
});
