/** Another program holds the write lock of the SQLite file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { startServer } from "./support/server.ts";
import { contact, threeFiles, uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

test("while the database is locked a post is a 503 that keeps its draft", async (t) => {
  const server = await startServer(t);
  const wrong = uploadForm(threeFiles(), { ...contact, email: "wrong" });
  const draft = await (await uploadByPage(server.url, wrong)).text();
  const tokenIn = (html: string) => /name="draft" value="([\w-]+)"/.exec(html)![1]!;
  const retry = new FormData();
  retry.append("draft", tokenIn(draft));
  for (const [name, value] of uploadForm([])) retry.append(name, value);

  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  const response = await uploadByApi(server.url, uploadForm());
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("Retry-After"), "60");
  assert.equal(((await response.json()) as { code: string }).code, "unavailable");
  const page = await uploadByPage(server.url, retry);
  assert.equal(page.status, 503);
  const html = await page.text();
  assert.match(html, /value="Thandi Example"/);
  assert.equal(tokenIn(html), tokenIn(draft));
  assert.equal(html.match(/<button[^>]*name="remove"/g)?.length, 3);
  other.exec("ROLLBACK");
  other.close();

  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal((await uploadByPage(server.url, retry)).status, 303);
});
