/** Pages under private links while no server can reach the database. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { wholeFile } from "./support/at-end.ts";
import { postgresServer, queryPostgres } from "./support/postgres.ts";
import { publishClass } from "./support/results.ts";
import { type Server, startServer } from "./support/server.ts";

process.env.TEST_ENGINE = "postgres";

/** The private links of a class, and servers of one database, which is then cut off. */
async function setUp() {
  const opened = await startServer(wholeFile);
  const results = (await publishClass(opened, 1)).replace("#demo", "");
  const desk = results.replace("/?results=", "/marking?link=");
  for (const link of [results, desk]) assert.equal((await fetch(opened.url + link)).status, 200);
  const env = { RUBRICON_DATABASE_URL: opened.databaseUrl! };
  const unopened = await startServer(wholeFile, { env });
  const networks = { ...env, RUBRICON_MARKING_NETWORKS: "192.0.2.1" };
  const restricted = await startServer(wholeFile, { env: networks });
  await cutOff(opened.databaseUrl!);
  return { servers: { opened, unopened, restricted }, results, desk };
}

/** Ends the connections to a database, and has it accept no others. */
async function cutOff(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const administrator = (await postgresServer()).urlOf("postgres");
  await queryPostgres(administrator, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await queryPostgres(
    administrator,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

const save = (link: string, { url }: Server) =>
  fetch(url + link, { method: "POST", body: new URLSearchParams({ intent: "save" }) });

/** @param keepsForm whether the page says that the browser sends the form again */
async function assertUnavailable(response: Response, keepsForm: boolean): Promise<void> {
  const html = await response.text();
  assert.equal(response.status, 503, html);
  assert.equal(response.headers.get("Retry-After"), "60");
  assert.match(html, /Please try again in a few minutes/);
  assert.equal(html.includes("browser sends the form again"), keepsForm, html);
}

// At once, because each request waits for the database.
suite("while the database is gone", { concurrency: true }, () => {
  const gone = setUp();

  for (const [what, name] of [
    ["a private link that was opened before", "opened"],
    ["a private link that was not opened yet", "unopened"],
    ["a private link that opens only from some networks", "restricted"],
  ] as const) {
    test(`${what} is a 503 that says when to try again`, async () => {
      const { servers, results, desk } = await gone;
      const server = servers[name];
      const pages = [results, desk].map((link) => fetch(server.url + link));
      const saved = save(desk, server);
      for (const page of pages) await assertUnavailable(await page, false);
      await assertUnavailable(await saved, true);
    });
  }

  test("what the pages under a private link fetch is a 503 that says when to try again", async () => {
    const { servers, results } = await gone;
    const token = results.replace("/?results=", "");
    const paths = [
      `/api/results/${token}`,
      `/api/results/${token}/marks`,
      `/api/results/${token}/pages/1/1`,
      `/api/marking/${token}/pages/1/1`,
      `/api/marking/${token}/originals/1`,
    ];
    const fetched = paths.map((path) => fetch(servers.opened.url + path));
    for (const [index, response] of (await Promise.all(fetched)).entries()) {
      const body = await response.text();
      assert.equal(response.status, 503, `${paths[index]}: ${body}`);
      assert.equal(response.headers.get("Retry-After"), "60");
      assert.equal(JSON.parse(body).code, "unreadable");
    }
  });

  test("a post under a private link that was not opened yet waits for the database once, as a page does", async () => {
    const { servers, desk } = await gone;
    const { unopened } = servers;
    const msUntil = async (response: Promise<Response>) => {
      const started = performance.now();
      assert.equal((await response).status, 503);
      return performance.now() - started;
    };
    const [page, post] = await Promise.all(
      [fetch(unopened.url + desk), save(desk, unopened)].map(msUntil),
    );
    assert.ok(post! < 1.5 * page!, `a page takes ${page} ms, the post ${post} ms`);
  });
});
