import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { type FilePart, readFormWithFiles } from "../app/server/intake/form-body.ts";
import { Rejection } from "../app/server/rejection.ts";
import { column } from "./support/columns.ts";
import { randomFrom } from "./support/random.ts";

const boundary = "----edge-of-a-part";
const maxFileBytes = 2000;

/** Reads a form that arrives in these chunks. */
async function read(chunks: Buffer[], contentType = `multipart/form-data; boundary=${boundary}`) {
  const files: FilePart[] = [];
  const pace = { maxIdleMs: 60_000, minBytesPerSecond: 0 };
  const body = { source: Readable.from(chunks, { objectMode: false }), pace };
  const onFile = (file: FilePart) => {
    files.push(file);
  };
  const texts = new Map(await readFormWithFiles(contentType, body, { maxFileBytes, onFile }));
  return { files, texts };
}

async function statusOf(body: string | Buffer, contentType?: string) {
  try {
    await read([Buffer.from(body)], contentType);
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof Rejection, `${error}`);
    return error.problem.status;
  }
}

const head = (disposition: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

const random = randomFrom(1);
const noise = Buffer.from(Array.from({ length: 40_000 }, () => random(256)));

/** The contents of one to four files, with incomplete boundaries inside, which no random byte completes. */
const randomContents = () =>
  Array.from({ length: 1 + random(4) }, () => {
    const length = [0, 1, 30, 1990, 2000, 2001, 6100, 9000, 20_000][random(9)]!;
    const start = random(20_000);
    const content = Buffer.from(noise.subarray(start, start + length));
    if (length > 100) {
      content.write(`\r\n--${boundary.slice(0, random(18))}\0`, random(60));
      content.write("\r\n--", length - random(5) - 4);
    }
    return content;
  });

function randomChunks(body: Buffer): Buffer[] {
  // In more than some thousand chunks, a body takes a tenth of a second.
  const max = Math.max([7, 40, 600, 6200, 30_000][random(5)]!, body.length / 1000);
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const next = at + 1 + random(Math.ceil(max));
    chunks.push(body.subarray(at, next));
    at = next;
  }
  return chunks;
}

test("every file is read up to the limit, with its true size, however the body is split into chunks", async () => {
  const counts = new Set<number>();
  for (let round = 0; round < 80; round += 1) {
    const contents = randomContents();
    counts.add(contents.length);
    const parts = contents.flatMap((content, i) => [
      Buffer.from(`${i > 0 ? "\r\n" : ""}${head(`name="f"; filename="${i}.txt"`)}`),
      content,
    ]);
    const { files } = await read(randomChunks(Buffer.concat([...parts, Buffer.from(end)])));
    assert.deepEqual(column(files, "size"), column(contents, "length"), `round ${round}`);
    for (const [i, { bytes, size }] of files.entries()) {
      const passed = contents[i]!.subarray(0, Math.min(size, maxFileBytes));
      assert.ok(bytes.equals(passed), `round ${round}, file ${i}`);
    }
  }
  assert.deepEqual([...counts].sort(), [1, 2, 3, 4]);
});

test("malformed, forged and excessive bodies get the right status", async () => {
  const good = `${head('name="a"')}x${end}`;
  const parts = (count: number) => `${`${head('name="a"')}x\r\n`.repeat(count)}--${boundary}--\r\n`;
  assert.equal(await statusOf(parts(1_000)), "accepted");
  assert.equal(await statusOf(good), "accepted");
  assert.equal(await statusOf(good, `multipart/form-data; boundary="${boundary}"`), "accepted");
  for (const [body, status] of [
    ["", 400],
    ["preamble", 400],
    [`${head("name=a")}x${end}`, 400],
    [`--${boundary}\r\nX: y\r\n\r\nx${end}`, 400],
    [`--${boundary}\r\nX: ${"y".repeat(5000)}\r\n\r\nx${end}`, 413],
    [`--${boundary}\r\n${"X: y\r\n".repeat(3000)}`, 413],
    [Buffer.alloc(1_000_001), 413],
    [parts(1_001), 413],
    [`${head('name="filename"')}${"x".repeat(2_000_000)}${end}`, 413],
  ] as const) {
    assert.equal(await statusOf(body), status, `${body.slice(0, 90)}`);
  }
});

test("names are read as browsers write them", async () => {
  const body = `${head('name="__proto__"; filename="say %22hi%22 \\"you\\" C:\\dir\\é.txt"')}x${end}`;
  const [part] = (await read([Buffer.from(body)])).files;
  assert.equal(part!.field, "__proto__");
  assert.equal(part!.fileName, 'say "hi" "you" C:\\dir\\é.txt');
});

test("texts behind a file that is far too large are read", async () => {
  const body = Buffer.concat([
    Buffer.from(head('name="f"; filename="film.mp4"')),
    Buffer.alloc(3_000_000, "x"),
    Buffer.from(`\r\n${head('name="name"')}Thandi${end}\r\n\r\nepilogue`),
  ]);
  const chunks = Array.from({ length: 100 }, (_, i) => body.subarray(i * 40_000, (i + 1) * 40_000));
  const { files, texts } = await read(chunks);
  assert.deepEqual([files[0]!.size, files[0]!.bytes.length], [3_000_000, 2000]);
  assert.equal(texts.get("name"), "Thandi");
});

test("an error in what takes a file is not mistaken for a malformed form", async () => {
  const error = new TypeError("a fault of the program");
  const source = Readable.from([Buffer.from(`${head('name="a"; filename="a.txt"')}x${end}`)]);
  const body = { source, pace: { maxIdleMs: 60_000, minBytesPerSecond: 0 } };
  const onFile = () => {
    throw error;
  };
  const type = `multipart/form-data; boundary=${boundary}`;
  const reading = readFormWithFiles(type, body, { maxFileBytes, onFile });
  await assert.rejects(reading, (thrown) => thrown === error);
});
