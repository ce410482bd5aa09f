import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { assetFolder, assetNamed } from "./support/built-assets.ts";
import { type HttpResponse, sendRequest } from "./support/send-request.ts";
import { sharedServer } from "./support/server.ts";

/** A font of the site: its bytes, and functions that request it whole or a range of it. */
async function aFont() {
  const { url } = await sharedServer();
  const name = assetNamed(/\.woff2$/);
  const bytes = readFileSync(path.join(assetFolder, name));
  const whole = await sendRequest(url, `/assets/${name}`);
  const part = (Range: string, more: Record<string, string> = {}, method = "GET") =>
    sendRequest(url, `/assets/${name}`, { method, headers: { Range, ...more } });
  const isWhole = (response: HttpResponse) =>
    response.status === 200 && response.bytes.equals(bytes);
  return { bytes, length: bytes.length, tag: whole.headers.etag!, part, isWhole };
}

test("a range of a static file is a 206 with those bytes", async () => {
  const { bytes, length, tag, part } = await aFont();
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
    assert.equal(response.headers["content-range"], `bytes ${start}-${end}/${length}`, range);
    assert.equal(response.headers["content-length"], String(end - start + 1), range);
    assert.ok(response.bytes.equals(bytes.subarray(start, end + 1)), range);
    assert.equal(response.headers.etag, tag, range);
  }
});

test("a range beyond the end of a static file is a 416", async () => {
  const { length, part } = await aFont();
  for (const range of [`bytes=${length}-`, "bytes=99999999-", "bytes=-0"]) {
    const response = await part(range);
    assert.equal(response.status, 416, range);
    assert.equal(response.headers["content-range"], `bytes */${length}`, range);
    assert.equal(response.headers["cache-control"], "no-store", range);
    assert.equal(response.bytes.length, 0, range);
  }
});

test("a range that is no single range of bytes gets the whole static file", async () => {
  const { part, isWhole } = await aFont();
  for (const range of ["bytes=0-1,5-6", "bytes=5-1", "bytes=-", "bytes=a-b", "lines=0-1", "0-1"]) {
    assert.ok(isWhole(await part(range)), range);
  }
});

test("a range applies to GET only", async () => {
  assert.equal((await (await aFont()).part("bytes=0-9", {}, "HEAD")).status, 200);
});

test("a range of another version gets the whole static file", async () => {
  const { tag, part, isWhole } = await aFont();
  assert.equal((await part("bytes=0-9", { "If-Range": tag })).status, 206);
  for (const other of ['"other"', `W/${tag}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
    assert.ok(isWhole(await part("bytes=0-9", { "If-Range": other })), other);
  }
});

test("a range of the version that a client has already is a 304", async () => {
  const { tag, part } = await aFont();
  assert.equal((await part("bytes=0-9", { "If-None-Match": tag })).status, 304);
});

test("a range of a compressed static file is of its uncompressed bytes, for clients that have those", async () => {
  const { url } = await sharedServer();
  const style = `/assets/${assetNamed(/\.css$/)}`;
  const headers = { "Accept-Encoding": "br", Range: "bytes=0-9" };
  const start = await sendRequest(url, style, { headers });
  assert.equal(start.headers["content-encoding"], undefined);
  assert.ok((await sendRequest(url, style)).bytes.subarray(0, 10).equals(start.bytes));
  const compressed = await sendRequest(url, style, { headers: { "Accept-Encoding": "br" } });
  const known = { ...headers, "If-Range": compressed.headers.etag! };
  assert.equal((await sendRequest(url, style, { headers: known })).status, 200);
});

test("the compressed variant of a static file has no address of its own", async () => {
  const { url } = await sharedServer();
  const compressed = assetNamed(/\.css\.br$/);
  assert.ok(compressed);
  assert.equal((await sendRequest(url, `/assets/${compressed}`)).status, 404);
});
