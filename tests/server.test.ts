import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { query, startServer, until } from "./support/server.ts";
import { pdf, threeFiles, uploadForm } from "./support/upload.ts";

/** Sends the first part of an upload and leaves the connection open. `finish` sends the rest. */
async function beginUpload(url: string) {
  const files = threeFiles();
  files[0]!.bytes = pdf(500_000);
  const form = new Request(url, { method: "POST", body: uploadForm(files) });
  const body = Buffer.from(await form.arrayBuffer());
  const call = request(`${url}/api/demo-request-with-files`, {
    method: "POST",
    headers: {
      "Content-Type": form.headers.get("Content-Type")!,
      "Content-Length": body.length,
    },
  });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    call.once("response", (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.once("error", reject);
  });
  answer.catch(() => {});
  const cut = body.length - 600;
  call.write(body.subarray(0, cut));
  return { answer, finish: () => call.end(body.subarray(cut)), abort: () => call.destroy() };
}

const count = (file: string, table: string) => query(file, `SELECT 1 FROM ${table}`).length;

test("told to stop, it lets an upload in flight finish, and ends with 0", async (t) => {
  const server = await startServer(t);
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") > 0);
  server.process.kill("SIGTERM");
  await until(() => server.log().includes("SIGTERM"));
  await assert.rejects(fetch(server.url), "it takes no new visitors");
  upload.finish();
  assert.equal(await upload.answer, 201);
  assert.equal(await server.stop(), 0);
  assert.equal(count(server.databaseFile, "contact_requests"), 1);
});

test("an upload that breaks off leaves nothing behind", async (t) => {
  const server = await startServer(t);
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") > 0);
  upload.abort();
  await until(() => count(server.databaseFile, "uploaded_files") === 0);
  assert.equal(count(server.databaseFile, "contact_requests"), 0);
});

test("killed in mid-upload, the next start sweeps away what was half there", async (t) => {
  const server = await startServer(t);
  const upload = await beginUpload(server.url);
  await until(() => count(server.databaseFile, "uploaded_files") > 0);
  await server.stop("SIGKILL");
  upload.abort();
  const again = await startServer(t, { folder: server.folder });
  assert.equal(count(again.databaseFile, "uploaded_files"), 0);
  assert.equal(count(again.databaseFile, "uploaded_file_bytes"), 0);
  assert.match(again.log(), /files of unfinished uploads were removed/);
});

test("an unknown page says so with 404, and carries no script", async (t) => {
  const server = await startServer(t);
  const answer = await fetch(`${server.url}/nowhere`);
  assert.equal(answer.status, 404);
  const html = await answer.text();
  assert.match(html, /<h1>404 Page Not Found<\/h1>/);
  assert.match(html, /Did you forget to add the page to the router\?/);
  assert.doesNotMatch(html, /<script/);
});

test("the web manifest bears the brand’s name, and its icons are there", async (t) => {
  const server = await startServer(t, { env: { RUBRICON_BRAND_NAME: "Marking Desk" } });
  const answer = await fetch(`${server.url}/manifest.webmanifest`);
  assert.match(answer.headers.get("Content-Type")!, /^application\/manifest\+json/);
  const manifest = (await answer.json()) as { name: string; icons: { src: string }[] };
  assert.equal(manifest.name, "Marking Desk");
  for (const { src } of manifest.icons) {
    const icon = await fetch(new URL(src, server.url));
    assert.equal(icon.headers.get("Content-Type"), "image/png");
  }
});
