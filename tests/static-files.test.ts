import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { assetFolder, assetNamed } from "./support/built-assets.ts";
import { type HttpResponse, sendRequest } from "./support/send-request.ts";
import { newFolder, startServer } from "./support/server.ts";

const root = path.join(import.meta.dirname, "..");

test("static files: the whole file, ranges, suffix ranges, and ranges beyond the end", async (t) => {
  const { url } = await startServer(t);
  const name = assetNamed(/\.woff2$/);
  const address = `/assets/${name}`;
  const bytes = readFileSync(path.join(assetFolder, name));
  const { length } = bytes;
  const whole = await sendRequest(url, address);
  assert.ok(whole.bytes.equals(bytes));
  assert.equal(whole.headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(whole.headers["accept-ranges"], "bytes");
  const tag = whole.headers.etag!;
  const part = (Range: string, more: Record<string, string> = {}, method = "GET") =>
    sendRequest(url, address, { method, headers: { Range, ...more } });

  for (const [range, start, end] of [
    ["bytes=0-0", 0, 0],
    ["bytes=10-99", 10, 99],
    ["bytes=100-", 100, length - 1],
    ["bytes=-500", length - 500, length - 1],
    [`bytes=${length - 1}-`, length - 1, length - 1],
    ["bytes=5-99999999", 5, length - 1],
    ["bytes=-99999999", 0, length - 1],
    ["BYTES=1-2", 1, 2],
  ] as const) {
    const response = await part(range);
    assert.equal(response.status, 206, range);
    assert.equal(response.headers["content-range"], `bytes ${start}-${end}/${length}`);
    assert.equal(response.headers["content-length"], String(end - start + 1));
    assert.ok(response.bytes.equals(bytes.subarray(start, end + 1)), range);
    assert.equal(response.headers.etag, tag);
  }
  for (const range of [`bytes=${length}-`, "bytes=99999999-", "bytes=-0"]) {
    const response = await part(range);
    assert.equal(response.status, 416, range);
    assert.equal(response.headers["content-range"], `bytes */${length}`);
    assert.equal(response.headers["cache-control"], "no-store");
    assert.equal(response.bytes.length, 0);
  }
  const isWhole = (response: HttpResponse) =>
    response.status === 200 && response.bytes.equals(bytes);
  for (const range of ["bytes=0-1,5-6", "bytes=5-1", "bytes=-", "bytes=a-b", "lines=0-1", "0-1"]) {
    assert.ok(isWhole(await part(range)), range);
  }
  assert.equal((await part("bytes=0-9", { "If-Range": tag })).status, 206);
  for (const other of ['"other"', `W/${tag}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
    assert.ok(isWhole(await part("bytes=0-9", { "If-Range": other })), other);
  }
  assert.equal((await part("bytes=0-9", { "If-None-Match": tag })).status, 304);
  assert.equal((await part("bytes=0-9", {}, "HEAD")).status, 200, "ranges apply to GET only");

  const style = `/assets/${assetNamed(/\.css$/)}`;
  const headers = { "Accept-Encoding": "br", Range: "bytes=0-9" };
  const start = await sendRequest(url, style, { headers });
  assert.equal(start.headers["content-encoding"], undefined, "ranges are of the unencoded bytes");
  assert.ok((await sendRequest(url, style)).bytes.subarray(0, 10).equals(start.bytes));
  assert.equal(
    (await sendRequest(url, `${style}.br`)).status,
    404,
    "compressed variants have no URL of their own",
  );
  assert.equal((await sendRequest(url, style, { method: "POST" })).status, 404);
});

test("run from source, a missing static file is a 503 and is logged, and the server keeps running", async (t) => {
  const folder = newFolder(t);
  cpSync(path.join(root, "build/client"), path.join(folder, "build/client"), { recursive: true });
  cpSync(path.join(root, "build/server"), path.join(folder, "build/server"), { recursive: true });
  copyFileSync(path.join(root, "package.json"), path.join(folder, "package.json"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const program = path.join(folder, "build/server/server.js");
  const { url, log } = await startServer(t, { folder, program: process.execPath, args: [program] });
  const style = assetNamed(/^root-.*\.css$/);
  rmSync(path.join(folder, "build/client/assets", style));
  const gone = await sendRequest(url, `/assets/${style}`);
  assert.equal(gone.status, 503);
  assert.equal(gone.headers["retry-after"], "60");
  assert.equal(gone.headers["cache-control"], "no-store");
  assert.match(log(), /a static file could not be read: .*ENOENT/);
  assert.equal((await sendRequest(url, "/about")).status, 200);
});
