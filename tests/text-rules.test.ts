import assert from "node:assert/strict";
import { test } from "node:test";
import { demoUploadFields } from "../app/forms/demo-upload.ts";
import { formatBytes } from "../app/forms/files.ts";
import { rulesFor, textErrors } from "../app/forms/text-rules.ts";
import { contact } from "./support/upload.ts";

const errors = (change: Record<string, string>) =>
  textErrors(demoUploadFields, { ...contact, ...change });

test("each field accepts exactly its maximum length", () => {
  const maxOf = Object.fromEntries(
    Object.entries(demoUploadFields).map(([name, { max }]) => [name, max]),
  );
  assert.deepEqual(maxOf, {
    name: 100,
    email: 254,
    phone: 40,
    institution: 100,
    message: 5000,
  });
  for (const [field, max] of Object.entries(maxOf)) {
    const text = (length: number) =>
      field === "email"
        ? `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(length - 122 - 8)}.example`
        : "é".repeat(length);
    assert.deepEqual(errors({ [field]: text(max) }), {}, field);
    const [message] = errors({ [field]: text(max + 1) })[field]!;
    assert.match(message!, /must be [\d,]+ characters or fewer$/);
  }
});

test("a line break counts as one character, as in browsers", () => {
  assert.deepEqual(errors({ message: `${"a\r\n".repeat(2499)}ab` }), {});
  assert.equal(
    rulesFor(demoUploadFields).parse({ ...contact, message: "one line\r\ntwo" }).message,
    "one line\ntwo",
  );
});

test("hidden characters are rejected in a single-line field, and every script is accepted", () => {
  for (const hidden of [
    "\u0000",
    "\u001b",
    "\u0085",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2066",
    "\ufeff",
  ]) {
    assert.deepEqual(errors({ name: `Tha${hidden}ndi` }), {
      name: ["Full name must not contain invisible or control characters"],
    });
  }
  for (const name of ["Ṱhilivhali Ḽuvhengo", "Ťšepo O’Brien-Ngŵenya", "李小龍", "محمد"]) {
    assert.deepEqual(errors({ name }), {});
  }
});

test("surrounding spaces do not count as text", () => {
  assert.deepEqual(errors({ name: "   " }), { name: ["Name is required"] });
  assert.equal(
    rulesFor(demoUploadFields).parse({ ...contact, institution: "  " }).institution,
    undefined,
  );
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
