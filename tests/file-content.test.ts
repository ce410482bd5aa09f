import assert from "node:assert/strict";
import { test } from "node:test";
import { contentError } from "../app/server/intake/file-content.ts";
import { compoundFile, doc, docx, wordStream, zip } from "./support/documents.ts";
import { randomFrom } from "./support/random.ts";
import { pdf, txt } from "./support/upload.ts";

const pdfOf = (body: string) => Buffer.from(`%PDF-1.7\n${body}\n%%EOF\n`);

test("complete, unencrypted files of each type pass", () => {
  assert.equal(contentError(".pdf", pdf(50_000)), undefined);
  assert.equal(contentError(".pdf", pdfOf("the word /Encrypt in a text")), undefined);
  assert.equal(contentError(".pdf", Buffer.concat([pdf(), Buffer.alloc(900)])), undefined);
  assert.equal(contentError(".doc", doc()), undefined);
  assert.equal(contentError(".docx", docx()), undefined);
  assert.equal(contentError(".txt", txt("Ṱhilivhali se werk, ’n toets")), undefined);
  assert.equal(contentError(".txt", Buffer.from("Andr\xe9 \x93skryf\x94", "latin1")), undefined);
});

test("content that does not match the extension is reported", () => {
  const isNot = (extension: Parameters<typeof contentError>[0], bytes: Buffer) =>
    assert.match(contentError(extension, bytes) ?? "", /^This is not a /, extension);
  isNot(".pdf", txt("x"));
  isNot(".pdf", docx());
  isNot(".doc", pdf());
  isNot(".doc", docx());
  isNot(".doc", compoundFile({ Workbook: Buffer.alloc(5000) }));
  isNot(".docx", doc());
  isNot(".docx", zip({ "xl/workbook.xml": "<workbook/>" }));
  isNot(".txt", pdf());
  isNot(".txt", docx());
});

test("a password-protected file is reported", () => {
  const encrypted = compoundFile({
    EncryptedPackage: Buffer.alloc(5000),
    EncryptionInfo: Buffer.alloc(99),
  });
  for (const [extension, bytes] of [
    [".pdf", pdfOf("trailer << /Root 1 0 R /Encrypt 12 0 R >>")],
    [".docx", encrypted],
    [".doc", encrypted],
  ] as const) {
    assert.match(contentError(extension, bytes) ?? "", /protected with a password/, extension);
  }
});

test("a PDF full of keys of encryption is searched once, not once for each key", () => {
  const processorTime = (body: string) => {
    const bytes = pdfOf(body);
    const before = process.cpuUsage();
    assert.equal(contentError(".pdf", bytes), undefined);
    return process.cpuUsage(before).user;
  };
  const [key, count] = ["/Encrypt", 2_600_000];
  const single = processorTime(key + "x".repeat(key.length * count));
  const full = processorTime(key.repeat(count));
  // One key after another takes 900 ms, all at once 100 ms; a single key 10 ms or more.
  assert.ok(full < 40 * single, `${full} µs and ${single} µs`);
});

test("files that are cut short, contain macros or cannot be read are reported", () => {
  assert.match(contentError(".pdf", pdf(9000).subarray(0, 5000))!, /cut short/);
  assert.match(contentError(".docx", docx().subarray(0, docx().length - 40))!, /cut short/);
  const cutInside = docx().subarray(0, docx().length - 15);
  assert.match(contentError(".docx", cutInside)!, /damaged/);
  assert.match(contentError(".docx", docx({ "word/vbaProject.bin": "x" }))!, /macros/);
});

test("a short DOC, whose text is in the mini stream, passes like a large one", () => {
  // Streams of less than 4096 bytes are in the mini stream.
  const short = compoundFile({
    WordDocument: wordStream({ bytes: 1500 }),
    Big: Buffer.alloc(9000),
  });
  assert.equal(contentError(".doc", short), undefined);
  const large = compoundFile({ WordDocument: wordStream(), Data: Buffer.alloc(1_900_000) });
  assert.equal(contentError(".doc", large), undefined);
});

test("UTF-16 text with a byte order mark passes, if it is text", () => {
  // In the other byte order Ü is half a surrogate pair, which is no text.
  const little = Buffer.from("\ufeffPunte: Ṱhilivhali Ü 18", "utf16le");
  const big = Buffer.from(little).swap16();
  assert.equal(contentError(".txt", little), undefined);
  assert.equal(contentError(".txt", big), undefined);
  assert.match(contentError(".txt", little.subarray(0, -1))!, /damaged/);
  assert.match(contentError(".txt", Buffer.from("\ufeffa\ud800b", "utf16le"))!, /damaged/);
  const binary = Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]);
  assert.match(contentError(".txt", binary)!, /not plain text/);
});

test("text that is binary or in an unknown encoding is reported", () => {
  assert.match(contentError(".txt", Buffer.from("marks", "utf16le"))!, /not plain text/);
  for (const byte of [0x81, 0x8d, 0x8f, 0x90, 0x9d]) {
    const error = contentError(".txt", Buffer.from([0x41, byte, 0x42]));
    assert.match(error ?? "", /neither UTF-8 nor/, `0x${byte.toString(16)}`);
  }
});

test("a file with changed or missing bytes passes or is reported, and never throws", () => {
  const samples = [
    [".pdf", pdf(3000)],
    [".doc", doc()],
    [".doc", compoundFile({ Data: Buffer.alloc(900), WordDocument: wordStream({ bytes: 1500 }) })],
    [".docx", docx()],
    [".txt", txt("a\u00e9".repeat(99))],
    [".txt", Buffer.from("\ufeffmarks", "utf16le")],
  ] as const;
  const random = randomFrom(7);
  let reported = 0;
  for (const [extension, sample] of samples) {
    for (let round = 0; round < 150; round += 1) {
      const mangled = Buffer.from(sample);
      for (let change = 0; change < 6; change += 1) mangled[random(mangled.length)] = random(256);
      const cut = random(3) === 0 ? mangled.subarray(0, random(mangled.length)) : mangled;
      const error = contentError(extension, cut);
      if (error === undefined) continue;
      reported += 1;
      assert.ok(error.length > 10, error);
    }
  }
  assert.ok(reported > 200 && reported < 700, `${reported} of 900`);
});
