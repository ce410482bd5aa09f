import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatDayOf,
  formatMomentOf,
  formatShortDayOf,
  formatTimeOf,
  zonedTime,
} from "../app/domain/day.ts";
import { demoUpload } from "../app/forms/demo-upload.ts";
import { formatBytes } from "../app/forms/files.ts";
import { textErrors } from "../app/forms/text-rules.ts";
import { validateTexts } from "../app/server/intake/validate-texts.ts";
import { contact } from "./support/upload.ts";

const errors = (change: Record<string, string>) =>
  textErrors(demoUpload.fields, { ...contact, ...change });

/** The texts of a valid upload as they are stored. */
const parsed = (change: Record<string, string>) =>
  validateTexts(demoUpload, { ...contact, ...change }).texts!;

test("each field accepts exactly its maximum length", () => {
  const maxOf = Object.fromEntries(
    Object.entries(demoUpload.fields).map(([name, { max }]) => [name, max]),
  );
  assert.deepEqual(maxOf, { name: 100, email: 254, phone: 40, institution: 100, message: 5000 });
  for (const [field, max] of Object.entries(maxOf)) {
    const text = (length: number) =>
      field === "email"
        ? `${"a".repeat(60)}@${"b".repeat(62)}.${"c".repeat(62)}.${"d".repeat(length - 195)}.example`
        : "é".repeat(length);
    assert.deepEqual(errors({ [field]: text(max) }), {}, field);
    const [message = ""] = errors({ [field]: text(max + 1) })[field] ?? [];
    assert.match(message, /must be [\d,]+ characters or fewer$/, field);
  }
});

test("a line break is stored and counted as one character, as browsers count it", () => {
  assert.deepEqual(errors({ message: `${"a\r\n".repeat(2499)}ab` }), {});
  assert.equal(parsed({ message: "one\r\ntwo\rthree" }).message, "one\ntwo\nthree");
});

test("invisible characters are removed from every field, so that a copied number is accepted", () => {
  const stored = parsed({
    name: "\u200eTha\u200b\u00ad\u2060ndi\u{e0041} Exa\u034fmple\ufff9",
    email: "\ufeffthandi@school\u200b.example\u2069",
    phone: "\u202a+27\u00a082 555 0199\u202c",
    institution: "\u2066\u3164\u2069",
    message: "\u202eWe have\u{e0020}\u{e0041} 80\u180e scripts.\u200f",
  });
  assert.deepEqual(stored, {
    name: "Thandi Example",
    email: "thandi@school.example",
    phone: "+27\u00a082 555 0199",
    institution: undefined,
    message: "We have 80 scripts.",
  });
});

test("joiners and variation selectors stay where they change what people see", () => {
  for (const name of [
    "ක්\u200dරිෂාන් ශ්\u200dරී", // Sinhala: ZWJ after the virama
    "রহমান র\u200d্যাব", // Bengali: ZWJ after a consonant
    "രാജന്\u200d", // Malayalam: ZWJ at the end
    "علی\u200cرضا", // Persian: ZWNJ
    "葛\u{e0100}城", // Japanese: ideographic variation selector
    "Ṱhilivhali Ḽuvhengo",
    "Ťšepo O’Brien-Ngŵenya",
    "李小龍",
    "محمد",
  ]) {
    assert.equal(parsed({ name }).name, name);
  }
  const message = "Thank you 👩🏽\u200d🏫 🏳\ufe0f\u200d🌈 ❤\ufe0f क्\u200dष and می\u200cخواهم";
  assert.equal(parsed({ message }).message, message);
});

test("joiners and variation selectors are removed where they change nothing that people see", () => {
  const hiding = `Thandi\u200d\u200c\ufe0f${"\u{e0101}".repeat(9)} 李\ufe00${"\ufe00".repeat(9)}`;
  assert.equal(parsed({ name: hiding }).name, "Thandi 李\ufe00");
});

test("control characters are rejected in a single-line field", () => {
  for (const control of ["\u0000", "\t", "\n", "\u001b", "\u0085", "\u2028"]) {
    const found = errors({ name: `Tha${control}ndi` });
    const message = "Full name must not contain line breaks or control characters";
    assert.deepEqual(found, { name: [message] }, encodeURIComponent(control));
  }
});

test("control characters are removed from paragraphs, except tabs and line breaks", () => {
  assert.equal(
    parsed({ message: "\u0000a\tb\u0085\u001b[31mc\u2028d\u009be\r\n\u0007fghij\u007f" }).message,
    "a\tb\n[31mc\nde\nfghij",
  );
});

test("a character that no text can have is rejected in every field", () => {
  const impossible = ["\ufffd", "\ud800", "\udfff", "\ufffe", "\uffff", "\ufdd0", "\u{1fffe}"];
  for (const lost of impossible) {
    for (const [field, { label }] of Object.entries(demoUpload.fields)) {
      const message = `${label} contains a character that cannot be read (�). Please type it again`;
      const found = errors({ [field]: `ten characters ${lost} or more` });
      assert.deepEqual(found, { [field]: [message] }, lost.codePointAt(0)!.toString(16));
    }
  }
});

test("a name needs an alphabetic character, which invisible ones are not", () => {
  for (const name of ["\u2800", "\u3164\u2800", "12", "\u{1d159}", "-", "👍"]) {
    assert.deepEqual(
      errors({ name }),
      { name: ["Full name must contain a letter"] },
      encodeURIComponent(name),
    );
  }
  for (const name of ["\u3164", "\u115f\u1160", "\u180e", "\u00ad \u034f"]) {
    assert.deepEqual(errors({ name }), { name: ["Name is required"] }, encodeURIComponent(name));
  }
});

test("an email address keeps to the limits of RFC 5321", () => {
  const labels = (...lengths: number[]) => lengths.map((length) => "b".repeat(length)).join(".");
  for (const email of [
    `${"a".repeat(64)}@school.example`,
    `a@${labels(63, 63)}.example`,
    "t.o'brien+grade-11@x-y.co.za",
    "A_b@1school.Example",
  ]) {
    assert.deepEqual(errors({ email }), {}, email);
  }
  for (const email of [
    `${"a".repeat(65)}@school.example`,
    `a@${labels(64)}.example`,
    "a@x-.co",
    "a@-x.co",
    "a@x..co",
    ".a@x.co",
    "a.@x.co",
    "a..b@x.co",
    "a@x",
    "a b@x.co",
    "a@x.co, b@x.co",
    "<a@x.co>",
    "@x.co",
    "a@",
    "a@x.c",
    "a'@x.co",
  ]) {
    assert.deepEqual(errors({ email }), { email: ["Please enter a valid email address"] }, email);
  }
});

test("surrounding spaces do not count as text", () => {
  assert.deepEqual(errors({ name: "   " }), { name: ["Name is required"] });
  assert.equal(parsed({ institution: "  " }).institution, undefined);
});

test("sizes are rounded up, so that one byte over the limit of 2 MB shows", () => {
  assert.deepEqual([1, 1023, 1024, 1025, 2_097_152, 2_097_153].map(formatBytes), [
    "1 byte",
    "1023 bytes",
    "1 kB",
    "2 kB",
    "2.0 MB",
    "2.1 MB",
  ]);
});

test("every format shows South African time, with spaces at which no line breaks", () => {
  const beforeMidnight = "2026-11-23T21:59:59.999Z";
  const midnight = "2026-11-23T22:00:00.000Z";
  const shown = (time: string) =>
    [formatDayOf, formatShortDayOf, formatTimeOf, formatMomentOf, zonedTime].map((format) =>
      format(time),
    );
  assert.deepEqual(shown(beforeMidnight), [
    "23\u00a0November\u00a02026",
    "23\u00a0Nov\u00a02026",
    "23:59",
    "Mon\u00a023\u00a0Nov,\u00a023:59",
    "2026-11-23 23:59:59 +02:00",
  ]);
  assert.deepEqual(shown(midnight), [
    "24\u00a0November\u00a02026",
    "24\u00a0Nov\u00a02026",
    "00:00",
    "Tue\u00a024\u00a0Nov,\u00a000:00",
    "2026-11-24 00:00:00 +02:00",
  ]);
});
