import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { test } from "node:test";
import { readMultipart } from "../app/server/intake/multipart.ts";
import { Rejection } from "../app/server/rejection.ts";

const boundary = "----edge-of-a-part";
const limits = { part: 2000, parts: 20, body: 1_000_000 };

/** Reads the parts of a body that arrives in these chunks. */
async function partsOf(
  chunks: Buffer[],
  contentType = `multipart/form-data; boundary=${boundary}`,
) {
  const parts = [];
  const pace = { maxIdleMs: 1000, minBytesPerSecond: 0 };
  const body = { source: Readable.from(chunks, { objectMode: false }), pace };
  for await (const part of readMultipart(contentType, body, limits)) parts.push(part);
  return parts;
}

async function statusOf(body: string | Buffer, contentType?: string) {
  try {
    await partsOf([Buffer.from(body)], contentType);
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof Rejection, `${error}`);
    return error.problem.status;
  }
}

const head = (disposition: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

test("every part is read however the body is split into chunks, and large parts have their true size", async () => {
  let seed = 1;
  const random = (limit: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % limit;
  };
  for (let round = 0; round < 600; round += 1) {
    const contents = Array.from({ length: 1 + random(4) }, () => {
      const content = randomBytes([0, 1, 30, 1990, 2000, 2001, 6100, 9000, 20_000][random(9)]!);
      // Incomplete boundaries inside the content.
      if (content.length > 100) content.write(`\r\n--${boundary.slice(0, random(18))}`, random(60));
      if (content.length > 100) content.write("\r\n--", content.length - random(5) - 4);
      return content;
    });
    const body = Buffer.concat([
      ...contents.flatMap((content, i) => [
        Buffer.from(`${i > 0 ? "\r\n" : ""}${head(`name="f"; filename="${i}.txt"`)}`),
        content,
      ]),
      Buffer.from(end),
    ]);
    const chunks = [];
    const max = [7, 40, 600, 6200, 30_000][random(5)]!;
    for (let at = 0; at < body.length; ) {
      const next = at + 1 + random(max);
      chunks.push(body.subarray(at, next));
      at = next;
    }
    const parts = await partsOf(chunks);
    assert.deepEqual(
      parts.map(({ size }) => size),
      contents.map(({ length }) => length),
      `round ${round}`,
    );
    for (const [i, { bytes, size }] of parts.entries()) {
      if (size <= limits.part) assert.ok(bytes.equals(contents[i]!));
      assert.ok(bytes.length <= limits.part + 4096 + max + 100, "memory stays at about one part");
    }
  }
});

test("malformed, forged and excessive bodies get the right status", async () => {
  const good = `${head('name="a"')}x${end}`;
  assert.equal(await statusOf(good), "accepted");
  assert.equal(await statusOf(good, `multipart/form-data; boundary="${boundary}"`), "accepted");
  for (const [body, contentType, status] of [
    [good, `Multipart/Form-Data; boundary=${boundary}`, 415],
    [good, "application/x-www-form-urlencoded", 415],
    [good, `multipart/mixed; boundary=${boundary}`, 415],
    [good, "multipart/form-data", 400],
    [good, `multipart/form-data; boundary=${"b".repeat(12_000)}`, 400],
    [good, `multipart/form-data; boundary=${boundary}; boundary=other`, 400],
    [`${head('name="a"')}x`, undefined, 400],
    ["", undefined, 400],
    ["preamble", undefined, 400],
    [`${head("name=\"a\"; filename*=UTF-8''x.txt")}x${end}`, undefined, 400],
    [`${head("name=a")}x${end}`, undefined, 400],
    [`${head('filename="a.txt"')}x${end}`, undefined, 400],
    [`--${boundary}\r\nX: y\r\n\r\nx${end}`, undefined, 400],
    [`--${boundary}\r\nX: ${"y".repeat(5000)}\r\n\r\nx${end}`, undefined, 413],
    [`--${boundary}\r\n${"X: y\r\n".repeat(3000)}`, undefined, 413],
    [Array.from({ length: 10_000 }, () => `${head('name="a"')}x\r\n`).join(""), undefined, 413],
    [Buffer.alloc(1_000_001), undefined, 413],
  ] as const) {
    assert.equal(await statusOf(body, contentType), status, `${contentType} ${body.slice(0, 90)}`);
  }
});

test("names are read as browsers write them", async () => {
  const body = `${head('name="__proto__"; filename="say %22hi%22 \\"you\\" C:\\dir\\é.txt"')}x${end}`;
  const [part] = await partsOf([Buffer.from(body)]);
  assert.equal(part!.name, "__proto__");
  assert.equal(part!.fileName, 'say "hi" "you" C:\\dir\\é.txt');
});
