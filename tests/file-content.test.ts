import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { newUnpackBudget } from "../app/server/intake/docx.ts";
import { contentError } from "../app/server/intake/file-content.ts";
import { compoundFile, doc, docx, wordStream, zip, zipOf } from "./support/documents.ts";
import { pdf, txt } from "./support/upload.ts";

const pdfOf = (body: string) => Buffer.from(`%PDF-1.7\n${body}\n%%EOF\n`);

test("complete, unencrypted files of each type pass", async () => {
  assert.equal(await contentError(".pdf", pdf(50_000)), undefined);
  assert.equal(await contentError(".pdf", pdfOf("the word /Encrypt in a text")), undefined);
  assert.equal(await contentError(".doc", doc()), undefined);
  assert.equal(await contentError(".docx", docx()), undefined);
  assert.equal(await contentError(".txt", txt("Ṱhilivhali se werk, ’n toets")), undefined);
  assert.equal(
    await contentError(".txt", Buffer.from("Andr\xe9 \x93skryf\x94", "latin1")),
    undefined,
  );
});

test("content that does not match the extension is reported", async () => {
  const isNot = async (extension: Parameters<typeof contentError>[0], bytes: Buffer) =>
    assert.match((await contentError(extension, bytes)) ?? "", /^This is not a /, extension);
  await isNot(".pdf", txt("x"));
  await isNot(".pdf", docx());
  await isNot(".doc", pdf());
  await isNot(".doc", docx());
  await isNot(".doc", compoundFile({ Workbook: Buffer.alloc(5000) }));
  await isNot(".doc", compoundFile({ WordDocument: Buffer.alloc(5000) }));
  await isNot(".docx", doc());
  await isNot(".docx", zip({ "xl/workbook.xml": "<workbook/>" }));
  await isNot(".txt", pdf());
  await isNot(".txt", docx());
});

test("a password-protected file is reported", async () => {
  const encrypted = compoundFile({
    EncryptedPackage: Buffer.alloc(5000),
    EncryptionInfo: Buffer.alloc(99),
  });
  for (const [extension, bytes] of [
    [".pdf", pdfOf("trailer << /Root 1 0 R /Encrypt 12 0 R >>")],
    [".doc", compoundFile({ WordDocument: wordStream({ encrypted: true }) })],
    [".docx", encrypted],
    [".doc", encrypted],
  ] as const) {
    assert.match(
      (await contentError(extension, bytes)) ?? "",
      /protected with a password/,
      extension,
    );
  }
});

test("truncated, damaged and harmful files are reported", async () => {
  assert.match((await contentError(".pdf", pdf(9000).subarray(0, 5000)))!, /cut short/);
  assert.match((await contentError(".docx", docx().subarray(0, docx().length - 40)))!, /damaged/);
  const broken = docx();
  broken.fill(0xff, 60, 90);
  assert.match((await contentError(".docx", broken))!, /damaged/);
  assert.match((await contentError(".doc", doc().subarray(0, 600)))!, /damaged|not a DOC/);
  assert.match((await contentError(".docx", docx({ "word/vbaProject.bin": "x" })))!, /macros/);
  const bomb = docx({ "word/media/huge.bin": Buffer.alloc(65 * 1024 * 1024) });
  assert.ok(bomb.length < 2_097_152);
  assert.match((await contentError(".docx", bomb))!, /unpacks to far more/);
  const entries = Array.from({ length: 2100 }, (_, i) => [`word/${i}.xml`, "x"]);
  const manyParts = Object.fromEntries(entries);
  assert.match((await contentError(".docx", docx(manyParts)))!, /more parts than a document has/);
});

test("a compound file with a cyclic directory is reported, and a large one passes", async () => {
  const file = doc();
  // The directory's first sector is its own successor.
  const cyclic = Buffer.from(file);
  const first = cyclic.readUInt32LE(48);
  cyclic.writeUInt32LE(first, 512 * (cyclic.readUInt32LE(76) + 1) + first * 4);
  assert.match((await contentError(".doc", cyclic))!, /damaged/);
  const large = compoundFile({ WordDocument: wordStream(), Data: Buffer.alloc(1_900_000) });
  assert.equal(await contentError(".doc", large), undefined);
});

test("a short DOC, whose text is in the mini stream, passes, and is checked like a long one", async () => {
  // The other streams move WordDocument to later sectors of the mini stream, as LibreOffice does.
  const others = { "1Table": Buffer.alloc(1900), Data: Buffer.alloc(90), Big: Buffer.alloc(9000) };
  const short = (encrypted = false) =>
    compoundFile({ ...others, WordDocument: wordStream({ encrypted, bytes: 1500 }) });
  assert.equal(await contentError(".doc", short()), undefined);
  assert.match((await contentError(".doc", short(true)))!, /protected with a password/);
  const other = compoundFile({ ...others, WordDocument: Buffer.alloc(1500) });
  assert.match((await contentError(".doc", other))!, /not a DOC file/);
  // A stream that is said to begin far outside the file, and a mini stream that is a cycle.
  const name = Buffer.from("WordDocument", "utf16le");
  const outside = short();
  outside.writeUInt32LE(0x7fffffff, outside.indexOf(name) + 116);
  assert.match((await contentError(".doc", outside))!, /damaged/);
});

test("a zip with false sizes is reported as damaged", async () => {
  const honest = docx({ "word/media/a.bin": Buffer.alloc(500_000) });
  // Replaces the uncompressed size in the local header and in the central directory.
  const size = Buffer.alloc(4);
  size.writeUInt32LE(500_000);
  const forged = Buffer.from(honest);
  for (let at = forged.indexOf(size); at !== -1; at = forged.indexOf(size))
    forged.writeUInt32LE(10, at);
  assert.equal(await contentError(".docx", honest), undefined);
  assert.match((await contentError(".docx", forged))!, /damaged/);
});

test("an entry whose checksum is wrong, or that is larger or smaller than declared, is reported", async () => {
  for (const size of [900, 500_000]) {
    const content = randomBytes(size);
    const withEntry = (more: object) =>
      zipOf([
        { name: "word/document.xml", content: Buffer.from("<w:document/>") },
        { name: "word/media/a.bin", content, ...more },
      ]);
    assert.equal(await contentError(".docx", withEntry({})), undefined);
    for (const lie of [
      { checksum: 1 },
      { declaredBytes: size - 1 },
      { declaredBytes: size + 1 },
      { declaredBytes: 0 },
    ]) {
      assert.match((await contentError(".docx", withEntry(lie)))!, /damaged/, JSON.stringify(lie));
    }
  }
});

test("an entry that expands over 1:200 is reported before it is unpacked", async () => {
  const budget = newUnpackBudget();
  const { bytesLeft } = budget;
  const bomb = docx({ "word/media/huge.bin": Buffer.alloc(3 * 1024 * 1024) });
  assert.match((await contentError(".docx", bomb, budget))!, /unpacks to far more/);
  assert.ok(bytesLeft - budget.bytesLeft < 1024 * 1024, "nothing was unpacked");
  const table = docx({ "word/styles.xml": Buffer.from("<w:p>12</w:p>\n".repeat(150_000)) });
  assert.match((await contentError(".docx", table, budget))!, /unpacks to far more/);
  const numbers = Array.from({ length: 150_000 }, (_, i) => `<w:p>${i}</w:p>`).join("");
  assert.equal(await contentError(".docx", docx({ "word/big.xml": numbers }), budget), undefined);
});

test("the documents of one post share a budget of 200 MB, which many entries use up as well", async () => {
  const numbers = Array.from({ length: 1_200_000 }, (_, i) => `<w:p>${i}</w:p>`).join("");
  const large = docx({ "word/big.xml": numbers });
  const entries = Object.fromEntries(Array.from({ length: 1900 }, (_, i) => [`${i}.xml`, ""]));
  for (const [bytes, passing] of [
    [large, 10],
    [docx(entries), 6],
  ] as const) {
    const budget = newUnpackBudget();
    const errors: (string | undefined)[] = [];
    for (let count = 0; count < 20; count += 1) {
      errors.push(await contentError(".docx", bytes, budget));
    }
    assert.equal(errors.filter((error) => error === undefined).length, passing);
    for (const error of errors.slice(passing)) {
      assert.match(error!, /may unpack to 200 MB.* in an upload of its own/);
    }
    assert.equal(await contentError(".pdf", pdf(), budget), undefined, "other files pass");
  }
});

test("UTF-16 text with a byte order mark passes, if it is text", async () => {
  const little = Buffer.from("\ufeffPunte: Ṱhilivhali 18", "utf16le");
  const big = Buffer.from(little).swap16();
  assert.equal(await contentError(".txt", little), undefined);
  assert.equal(await contentError(".txt", big), undefined);
  assert.match((await contentError(".txt", little.subarray(0, -1)))!, /damaged/);
  assert.match((await contentError(".txt", Buffer.from("\ufeffa\ud800b", "utf16le")))!, /damaged/);
  const binary = Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]);
  assert.match((await contentError(".txt", binary))!, /not plain text/);
});

test("text that is binary or in an unknown encoding is reported", async () => {
  assert.match((await contentError(".txt", Buffer.from("marks", "utf16le")))!, /not plain text/);
  assert.match((await contentError(".txt", Buffer.from([0x41, 0x81, 0x42])))!, /neither UTF-8 nor/);
});

test("no input makes the check throw", async () => {
  const samples = [
    [".pdf", pdf(3000)],
    [".doc", doc()],
    [".doc", compoundFile({ Data: Buffer.alloc(900), WordDocument: wordStream({ bytes: 1500 }) })],
    [".docx", docx()],
    [".txt", txt("a\u00e9".repeat(99))],
    [".txt", Buffer.from("\ufeffmarks", "utf16le")],
  ] as const;
  let seed = 7;
  const random = (limit: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % limit;
  };
  for (const [extension, sample] of samples) {
    for (let round = 0; round < 150; round += 1) {
      const mangled = Buffer.from(sample);
      for (let change = 0; change < 6; change += 1) mangled[random(mangled.length)] = random(256);
      const cut = random(3) === 0 ? mangled.subarray(0, random(mangled.length)) : mangled;
      const error = await contentError(extension, cut);
      assert.ok(error === undefined || error.length > 10);
    }
  }
});
