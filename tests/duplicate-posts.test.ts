import assert from "node:assert/strict";
import { test } from "node:test";
import { formWithDraft, startDraft } from "./support/drafts.ts";
import { emptyServer } from "./support/server.ts";
import {
  contact,
  threeFiles,
  uploadByApi,
  uploadByPage,
  uploaded,
  uploadForm,
} from "./support/upload.ts";

test("an identical post within ten minutes is the same request: one reference, one row, one email", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const post = () => uploaded(server, files);
  const first = await post();
  assert.equal(await post(), first);
  const page = await uploadByPage(server.url, uploadForm(files));
  assert.equal(page.headers.get("Location"), `/?received=${first}#demo`);
  for (const [table, rows] of Object.entries({
    contact_requests: 1,
    assessment_submissions: 1,
    assessments: 1,
    outbox: 1,
    uploaded_files: 3,
  })) {
    assert.equal((await server.query(`SELECT 1 FROM ${table}`)).length, rows, table);
  }
});

test("two identical posts at the same time are one request", async () => {
  const server = await emptyServer();
  for (let round = 0; round < 5; round += 1) {
    const files = threeFiles();
    const both = await Promise.all([0, 1].map(() => uploaded(server, files)));
    assert.equal(both[0], both[1], `round ${round}`);
  }
  assert.equal((await server.query("SELECT 1 FROM contact_requests")).length, 5);
  assert.equal((await server.query("SELECT 1 FROM outbox")).length, 5);
  assert.equal((await server.query("SELECT 1 FROM uploaded_files")).length, 15);
});

for (const replaces of [false, true]) {
  const how = replaces ? "a replaced file" : "a draft token";
  test(`a retry with ${how} is the same request too`, async () => {
    const server = await emptyServer();
    const { html, token } = await startDraft(server);
    const id = /name="replace-(\d+)"/.exec(html)![1]!;
    const retry = () => {
      const form = formWithDraft(token);
      if (replaces) form.append(`replace-${id}`, new File(["better questions"], "better.txt"));
      return uploadByPage(server.url, form);
    };
    const first = (await retry()).headers.get("Location");
    assert.match(first!, /received=/);
    assert.equal((await retry()).headers.get("Location"), first);
  });
}

test("another text, file or name of a file makes another request", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const renamed = files.map((file, i) => (i === 2 ? { ...file, name: "renamed.pdf" } : file));
  const references = [
    await uploaded(server, files),
    await uploaded(server, files, { ...contact, message: "Another message than before." }),
    await uploaded(server, renamed),
    await uploaded(server, threeFiles()),
  ];
  assert.equal(new Set(references).size, 4);
});

test("an identical post after ten minutes is another request", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  const first = await uploaded(server, files);
  const setAge = (seconds: number) => {
    const past = new Date(Date.now() - seconds * 1000).toISOString();
    return server.change(`UPDATE contact_requests SET created_at = '${past}'`);
  };
  await setAge(9 * 60);
  assert.equal(await uploaded(server, files), first);
  await setAge(10 * 60 + 1);
  assert.notEqual(await uploaded(server, files), first);
});

test("a post with one more, invalid file is no duplicate: it is rejected and the file named", async () => {
  const server = await emptyServer();
  const files = threeFiles();
  await uploaded(server, files);
  const bad = { field: "submissionFiles" as const, name: "forgotten.pdf", bytes: Buffer.from("x") };
  const response = await uploadByApi(server.url, uploadForm([...files, bad]));
  assert.equal(response.status, 422);
  assert.match(await response.text(), /forgotten\.pdf: This is not a PDF file/);
});
