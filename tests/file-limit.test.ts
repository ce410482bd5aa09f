/** The limit on a file is a setting, and everything follows it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tooLargeAdvice } from "../app/forms/files.ts";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { sendRequest } from "./support/send-request.ts";
import { startServer } from "./support/server.ts";
import { pdf, threeFiles, uploadByApi, uploadByPage, uploadForm } from "./support/upload.ts";

const megabyte = 1_048_576;

const limitedServer = once(() => startServer(wholeFile, { env: { RUBRICON_FILE_MB: "5" } }));

test("with a limit of 5 MB pages and the API's description name that limit", async () => {
  const { url } = await limitedServer();
  for (const path of ["/", "/latest-feature", "/improve-remote-learning-with-rubricon"]) {
    const body = (await sendRequest(url, path)).bytes.toString();
    const text = body.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
    assert.match(text, /\b5 MB\b/, path);
    assert.doesNotMatch(text, /(at most|limit is|under|over|than) 2 MB|, 2 MB each/, path);
  }
  const api = (await sendRequest(url, "/api/openapi.json")).bytes.toString();
  assert.match(api, /at most 5242880 bytes each/);
});

test("with a limit of 5 MB only a larger file is rejected, by page and by API", async () => {
  const { url } = await limitedServer();
  const post = (size: number, send = uploadByApi) => {
    const [questions, rubric, submission] = threeFiles();
    return send(url, uploadForm([questions, rubric, { ...submission, bytes: pdf(size) }]));
  };
  assert.equal((await post(5 * megabyte)).status, 201);
  const rejected = await post(5 * megabyte + 1);
  assert.equal(rejected.status, 422);
  const { fields } = (await rejected.json()) as { fields: Record<string, string[]> };
  assert.deepEqual(fields.submissionFiles, ["File size too large: learner-01.pdf"]);
  const page = await post(5 * megabyte + 1, uploadByPage);
  assert.equal(page.status, 422);
  assert.match(await page.text(), /File size too large: learner-01\.pdf/);
});

test("advice about a file that is too large says how to scan", () => {
  assert.equal(
    tooLargeAdvice([{ name: "a.pdf", size: 3 * megabyte }], 2 * megabyte),
    "a.pdf is 3.0 MB; the limit is 2 MB. Scan in grey at 200 dpi, or at 150 dpi if a file is over 2 MB.",
  );
});
