/** Text in XML. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeXml, escapeXml } from "../app/domain/xml.ts";

test("each entity of a document is decoded once", () => {
  const text = `"Tom" & <Jerry>'s 😀`;
  assert.equal(decodeXml(escapeXml(text)), text);
  assert.equal(decodeXml("&apos;&#128512;&#x1F600;&#39;"), "'😀😀'");
  for (const once of ["&amp;lt;", "&#38;lt;", "&#x26;lt;"]) assert.equal(decodeXml(once), "&lt;");
});
