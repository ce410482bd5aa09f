import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { draftLifetimeMs, type StagedFile } from "../app/domain/upload.ts";
import { DraftLimit } from "../app/server/intake/staging.ts";
import { beginPost } from "./support/begun-post.ts";
import { column } from "./support/columns.ts";
import { draftToken, formWithDraft, startDraft } from "./support/drafts.ts";
import { postMultipart, rubricForm, rubricTyped } from "./support/forms.ts";
import { emptyServer, type Server, startServer, until } from "./support/server.ts";
import { assertFilesStored, storedFiles } from "./support/stored-files.ts";
import {
  contact,
  pdf,
  threeFiles,
  txt,
  uploadByApi,
  uploadByPage,
  uploadForm,
} from "./support/upload.ts";

const draftFilesIn = (html: string) =>
  [...html.matchAll(/<button[^>]*name="remove"[^>]*>/g)].map(([button]) => ({
    id: /value="(\d+)"/.exec(button)![1]!,
    name: /aria-label="Remove ([^"]+)"/.exec(button)![1]!,
  }));
const count = async (server: Server, table: string) =>
  (await server.query(`SELECT 1 FROM ${table}`)).length;

/** Has drafts expire. @param where the SQL condition of some of them; default: all */
const endDrafts = (server: Server, where = "") => {
  const past = new Date(Date.now() - 1000).toISOString();
  return server.change(`UPDATE upload_drafts SET expires_at = '${past}' ${where}`);
};

test("a rejected form comes back with the names of its files, and a token of 128 bits", async () => {
  const files = threeFiles();
  const { html, token } = await startDraft(await emptyServer(), files);
  assert.deepEqual(column(draftFilesIn(html), "name"), column(files, "name"));
  assert.equal(Buffer.from(token, "base64url").length, 128 / 8);
});

test("a second post without the files of a rejected form stores them from its draft, byte for byte", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const { token } = await startDraft(server, files);
  const response = await uploadByPage(server.url, formWithDraft(token));
  assert.equal(response.status, 303);
  await assertFilesStored(server, files);
  assert.equal(await count(server, "upload_drafts"), 0, "the draft ended with the request");
});

test("the button of a draft file takes out only that file, and what was typed stays", async () => {
  const server = await emptyServer();
  const { html, token } = await startDraft(server);
  const draftFiles = draftFilesIn(html);
  const removal = formWithDraft(token, uploadForm([], { ...contact, message: "typed meanwhile" }));
  removal.append("remove", draftFiles[1]!.id);
  const after = await uploadByPage(server.url, removal);
  assert.equal(after.status, 200);
  const page = await after.text();
  assert.deepEqual(column(draftFilesIn(page), "name"), ["questions.pdf", "learner-01.pdf"]);
  assert.doesNotMatch(page, /problem-summary/);
  assert.match(page, /typed meanwhile/);
});

test("a draft file is replaced by a new file", async () => {
  const server = await emptyServer();
  const { html, token } = await startDraft(server);
  const form = formWithDraft(token);
  const replaced = `replace-${draftFilesIn(html)[2]!.id}`;
  form.append(replaced, new File([new Uint8Array(pdf())], "better.pdf"));
  form.append("rubricFile", new File(["new rubric"], "new-rubric.txt"));
  form.append("questionsFile", new File([new Uint8Array(pdf())], "new-questions.pdf"));
  assert.equal((await uploadByPage(server.url, form)).status, 303);
  const names = await server.query(
    "SELECT name FROM uploaded_files WHERE contact_request_id IS NOT NULL ORDER BY name",
  );
  const replacements = ["better.pdf", "new-questions.pdf", "new-rubric.txt"];
  assert.deepEqual(column(names, "name"), replacements);
  assert.equal(await count(server, "uploaded_files"), 3, "replaced files are deleted");
});

test("an expired or made-up token reveals no names of files", async () => {
  const server = await emptyServer();
  const { html: shown, token } = await startDraft(server);
  const names = /learner-01|questions\.pdf/;
  assert.match(shown, names);
  for (const wrong of ["AAAAAAAAAAAAAAAAAAAAAA", "x", `${token}x`, token]) {
    if (wrong === token) await endDrafts(server);
    const response = await uploadByPage(server.url, formWithDraft(wrong));
    assert.equal(response.status, 422, wrong);
    const html = await response.text();
    assert.match(html, /Please choose the files again/, wrong);
    assert.doesNotMatch(html, names, wrong);
  }
  assert.equal(await count(server, "contact_requests"), 0);
});

test("a token cannot remove or replace the files of another draft", async () => {
  const server = await emptyServer();
  const theirs = await startDraft(server);
  const mine = await startDraft(server);
  const [target] = draftFilesIn(theirs.html);
  const removal = formWithDraft(mine.token);
  removal.append("remove", target!.id);
  assert.equal((await uploadByPage(server.url, removal)).status, 200);
  const replacement = formWithDraft(mine.token);
  replacement.append(`replace-${target!.id}`, new File(["x"], "x.txt"));
  assert.equal((await uploadByPage(server.url, replacement)).status, 422);
  assert.equal((await uploadByPage(server.url, formWithDraft(theirs.token))).status, 303);
  assert.deepEqual(
    (await storedFiles(server)).map(([name]) => name),
    threeFiles().map(({ name }) => name),
  );
});

test("draft files survive a restart until their token expires", async (t) => {
  const server = await startServer(t);
  const [expired, kept] = [await startDraft(server), await startDraft(server)];
  await server.stop("SIGKILL");
  // The first draft of the server.
  await endDrafts(server, "WHERE id = 1");
  // On PostgreSQL the killed server would hold it for ten minutes, if it was cleaning up.
  await server.change("DELETE FROM leases");
  const later = await startServer(t, { folder: server.folder });
  await until(async () => (await count(later, "uploaded_files")) === 3);
  assert.equal(await count(later, "uploaded_file_bytes"), 3);
  assert.equal((await uploadByPage(later.url, formWithDraft(expired.token))).status, 422);
  assert.equal((await uploadByPage(later.url, formWithDraft(kept.token))).status, 303);
});

test("a rejected API post keeps no file of its own, and leaves drafts as they are", async () => {
  const server = await emptyServer();
  await uploadByApi(server.url, uploadForm(threeFiles(), { ...contact, email: "wrong" }));
  assert.equal(await count(server, "uploaded_files"), 0);
  const { token } = await startDraft(server);
  const post = formWithDraft(token, uploadForm([], { ...contact, email: "wrong" }));
  post.append("submissionFiles", new File(["another"], "another.txt"));
  assert.equal((await uploadByApi(server.url, post)).status, 422);
  assert.equal(await count(server, "uploaded_files"), 3);
  assert.equal((await uploadByApi(server.url, formWithDraft(token))).status, 201);
});

test("a replacement for a file that is in no draft is rejected without losing a file", async () => {
  const server = await emptyServer();
  const { html, token } = await startDraft(server);
  const replacement = new File(["better"], "better.txt");
  const withoutDraft = uploadForm();
  withoutDraft.append("replace-1", replacement);
  const unknownFile = formWithDraft(token);
  unknownFile.append("replace-999999", replacement);
  for (const [what, form] of Object.entries({ withoutDraft, unknownFile })) {
    const response = await uploadByApi(server.url, form);
    assert.equal(response.status, 422, what);
    assert.equal(((await response.json()) as { code: string }).code, "files_gone", what);
    const page = await uploadByPage(server.url, form);
    assert.equal(page.status, 422, what);
    assert.match(await page.text(), /Please choose again any files that are missing/, what);
  }
  assert.equal(await count(server, "contact_requests"), 0);
  const right = formWithDraft(token);
  right.append(`replace-${draftFilesIn(html)[1]!.id}`, replacement);
  assert.equal((await uploadByApi(server.url, right)).status, 201);
});

/** SQL that adds a staged file, of another client's upload, that says it is this large. */
const stagedElsewhere = (megabytes: number) =>
  `INSERT INTO uploaded_files (field, name, media_type, size, sha256, created_at)
  VALUES ('questionsFile', 'large.pdf', 'application/pdf', ${megabytes * 1_048_576}, '', '${new Date().toISOString()}')`;

test("an upload for which staged files leave no room is a 503 with Retry-After, a smaller one is stored", async () => {
  const server = await emptyServer();
  // 3 MB of the limit of 2 GB are free.
  await server.change(stagedElsewhere(2045));
  const files = threeFiles();
  files[0]!.bytes = pdf(1_900_000);
  files[2]!.bytes = pdf(1_900_000);
  for (const send of [uploadByApi, uploadByPage]) {
    const { status, headers } = await send(server.url, uploadForm(files));
    assert.deepEqual([status, headers.get("Retry-After")], [503, "60"], send.name);
  }
  assert.equal(await count(server, "uploaded_files"), 1);
  files[2]!.bytes = txt("another");
  files[2]!.name = "another.txt";
  assert.equal((await uploadByApi(server.url, uploadForm(files))).status, 201);
});

test("an expired token never stores fewer files than its page showed", async () => {
  const server = await emptyServer();
  const expired = await startDraft(server);
  await endDrafts(server);
  const form = formWithDraft(expired.token, uploadForm(threeFiles()));
  const response = await uploadByPage(server.url, form);
  assert.equal(response.status, 422);
  const html = await response.text();
  assert.match(html, /We no longer have the files from before/);
  assert.equal(draftFilesIn(html).length, 3, "the new files are in a new draft");
  assert.equal((await uploadByPage(server.url, formWithDraft(draftToken(html)))).status, 303);
});

/**
 * Sends a form but for its end, once the server reads it. Returns a function that sends the rest and resolves to the
 * response.
 */
async function startPosting(url: string, form: FormData) {
  const whole = new Response(form);
  const type = whole.headers.get("Content-Type")!;
  const bytes = Buffer.from(await whole.arrayBuffer());
  const outgoing = await beginPost(url, {
    "Content-Type": type,
    "Content-Length": bytes.length,
    Origin: new URL(url).origin,
  });
  outgoing.write(bytes.subarray(0, -10));
  return async () => {
    const [response] = await Promise.all([
      once(outgoing, "response") as Promise<[IncomingMessage]>,
      outgoing.end(bytes.subarray(-10)),
    ]);
    return { status: response[0].statusCode, body: await text(response[0]) };
  };
}

for (const [page, api, formWithFiles, typed] of [
  ["/?index&form=demo-upload", "/api/demo-request-with-files", uploadForm(), contact],
  ["/latest-feature", "/api/rubric-regeneration", rubricForm(), rubricTyped],
] as const) {
  /** Posts a form whose draft another post takes before its body has arrived. Returns the body of the response. */
  const postTaken = async (path: string) => {
    const server = await emptyServer();
    formWithFiles.set("email", "wrong");
    const rejected = await postMultipart(server.url, page, formWithFiles);
    const token = draftToken(await rejected.text());
    const drafted = await count(server, "uploaded_files");
    const retry = (phone: string) => formWithDraft(token, Object.entries({ ...typed, phone }));
    const finish = await startPosting(server.url + path, retry("1"));
    assert.equal((await postMultipart(server.url, api, retry("2"))).status, 201);
    const { status, body } = await finish();
    assert.equal(status, 422, body);
    assert.match(body, /Please choose the files again/);
    assert.equal(await count(server, "uploaded_files"), drafted, "files of the other post");
    return body;
  };

  test(`${page} asks for the files again if the draft was taken while the form arrived`, async () => {
    assert.doesNotMatch(await postTaken(page), /name="draft"/, "the draft has ended");
  });

  test(`${api} is a 422 if the draft was taken while the form arrived`, async () => {
    assert.equal(JSON.parse(await postTaken(api)).code, "missing_files");
  });
}

/** A limit of 100 bytes for each client, with a clock, and what the store knows of drafts. */
function limited() {
  const clock = { time: Date.parse("2026-11-22T12:00:00Z") };
  const now = () => new Date(clock.time);
  const limit = new DraftLimit(100);
  const stored = new Set(["a", "b"]);
  const store = {
    findDraft: async (token: string) => ({
      id: 1,
      reference: null,
      files: stored.has(token) ? [{} as StagedFile] : [],
    }),
  };
  const count = (token: string, client: string, bytes: number) =>
    limit.count({ token, form: "demo-upload", client, bytes }, now());
  /** Asserts that a client has room for exactly this many bytes, beside those of a draft that it replaces. */
  const assertRoom = async (client: string, bytes: number, token?: string) => {
    const room = (bytes: number) => limit.checkRoom({ token, client, bytes }, { store, now });
    await room(bytes);
    await assert.rejects(room(bytes + 1), { status: 503, code: "too_much_staged" });
  };
  return { clock, limit, stored, count, assertRoom };
}

test("the drafts of a client together have a limit", async () => {
  const { count, assertRoom } = limited();
  count("a", "192.0.2.1", 40);
  count("b", "192.0.2.1", 30);
  await assertRoom("192.0.2.1", 30);
  await assertRoom("192.0.2.2", 100);
});

test("a draft counts for the client that began it, and not against itself", async () => {
  const { count, assertRoom } = limited();
  count("a", "192.0.2.1", 40);
  count("a", "192.0.2.2", 60);
  await assertRoom("192.0.2.1", 40);
  await assertRoom("192.0.2.1", 100, "a");
  await assertRoom("192.0.2.2", 100);
});

const ends: [when: string, end: (drafts: ReturnType<typeof limited>) => unknown][] = [
  ["is sent", ({ limit }) => limit.release("a")],
  ["is sent to another server", ({ stored }) => stored.delete("a")],
  ["expires", ({ clock }) => (clock.time += draftLifetimeMs)],
];
for (const [when, end] of ends) {
  test(`a draft no longer counts once it ${when}`, async () => {
    const drafts = limited();
    drafts.count("a", "192.0.2.1", 60);
    await drafts.assertRoom("192.0.2.1", 40);
    end(drafts);
    await drafts.assertRoom("192.0.2.1", 100);
  });
}
