/** Another program holds the write lock of the SQLite file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3";
import { openLink, prepareClass, readDesk } from "./support/desk.ts";
import { draftToken, formWithDraft, startDraft } from "./support/drafts.ts";
import { formOf, postForm } from "./support/html-forms.ts";
import { startServer } from "./support/server.ts";
import { uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

test("while the database is locked a post is a 503 that keeps its draft", async (t) => {
  const server = await startServer(t);
  const { token } = await startDraft(server);

  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  const response = await uploadByApi(server.url, uploadForm());
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("Retry-After"), "60");
  assert.equal(((await response.json()) as { code: string }).code, "unavailable");
  const page = await uploadByPage(server.url, formWithDraft(token));
  assert.equal(page.status, 503);
  const html = await page.text();
  assert.match(html, /value="Thandi Example"/);
  assert.equal(draftToken(html), token);
  assert.equal(html.match(/<button[^>]*name="remove"/g)?.length, 3);
  other.exec("ROLLBACK");
  other.close();

  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  assert.equal((await uploadByPage(server.url, formWithDraft(token))).status, 303);
});

test("while the database is locked a marker’s post is a 503 page that says to reload it", async (t) => {
  const server = await startServer(t);
  const token = await openLink(server, await prepareClass(server, ["a.txt"]));
  const form = formOf((await readDesk(server, token, { view: "mark" })).html, "save");

  const other = new Sqlite(server.databaseFile);
  other.exec("BEGIN IMMEDIATE");
  const rejected = await postForm(server.url, form, "save", { marks: "2" });
  assert.equal(rejected.status, 503);
  assert.equal(rejected.headers["retry-after"], "60");
  assert.match(rejected.bytes.toString(), /<h1>We cannot store anything .* Keep this page open/s);
  other.exec("ROLLBACK");
  other.close();

  assert.equal((await postForm(server.url, form, "save", { marks: "2" })).status, 303);
});
