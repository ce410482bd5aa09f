import assert from "node:assert/strict";
import { test } from "node:test";
import { wholePageHeader } from "../app/domain/late.ts";
import { whileLocked } from "./support/postgres.ts";
import { sharedServer } from "./support/server.ts";
import { uploaded } from "./support/upload.ts";

process.env.TEST_ENGINE = "postgres";

test("a page that a script fetches waits for its list, which no script would insert", async () => {
  const server = await sharedServer();
  const url = `${server.url}/?received=${await uploaded(server)}`;
  let fetched: Promise<Response> | undefined;
  await whileLocked(server.databaseUrl!, "marking_links", async () => {
    fetched = fetch(url, { headers: { [wholePageHeader]: "1" } });
    // Meanwhile, a page that is streamed comes without its list.
    assert.equal((await fetch(url)).status, 200);
  });
  const html = await (await fetched!).text();
  assert.match(html, /learner-01\.pdf/);
  assert.doesNotMatch(html, /in a moment/);
});
