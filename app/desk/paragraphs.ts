import { type UnzipFileInfo, unzipSync } from "fflate";
import { controls } from "../domain/characters.ts";
import { decodeXml } from "../domain/xml.ts";
import {
  notRendered,
  protectedByPassword,
  RenderFailure,
  tooMuchMemory,
} from "./render-failure.ts";

/** The limit on a text, in characters: a hundred full pages. */
const maxLength = 500_000;
const maxXmlBytes = 64 * 1_048_576;

/** Returns text with line breaks as the only control characters. */
export const plainText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .replace(controls, (character) => (character === "\n" ? "\n" : ""))
    .trim();

/** Returns the paragraphs of a text: what is between empty lines, or its lines if none is empty. */
export function textParagraphs(bytes: Buffer): string[] {
  const text = plainText(decodeText(bytes));
  const emptyLines = /\n\s*\n/;
  return paragraphsOf(text.split(emptyLines.test(text) ? emptyLines : "\n"));
}

/** Decodes the encodings that intake accepts: UTF-16 with a byte order mark, UTF-8, Windows-1252. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.toString("hex", 0, 2);
  if (mark === "fffe") return new TextDecoder("utf-16le").decode(bytes);
  if (mark === "feff") return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The text that is shown for a tag of a DOCX. The key is the tag's name, with a slash before it for an end tag. */
const textOfTag: Record<string, string> = {
  "w:br": "\n",
  "w:cr": "\n",
  "w:tab": " ",
  "w:noBreakHyphen": "\u2011",
  "w:numPr": "• ",
  "w:sym": "[symbol] ",
  "w:drawing": "[drawing] ",
  "w:object": "[drawing] ",
  "w:pict": "[drawing] ",
  "/w:p": " ",
  "/w:tc": "| ",
};

/**
 * What is left out of a DOCX: passages that were deleted or moved elsewhere with changes tracked, and the second copy
 * of a text box, which Word adds for its older versions.
 */
const hiddenTags = new Set(["w:del", "w:moveFrom", "mc:Fallback"]);

/** Matches a tag, or the text up to the next tag. Of a tag, captures the name, and the slash of an end tag. */
const tagOrText = /<(\/?)([\w:]+)[^>]*>|[^<]+/g;

/** How a tag changes the number of elements that are open. */
function nestingOf(tag: string): -1 | 0 | 1 {
  if (tag.startsWith("</")) return -1;
  return tag.endsWith("/>") ? 0 : 1;
}

/** Returns the paragraphs of a DOCX; each row of a table is one. */
export function docxParagraphs(bytes: Buffer): string[] {
  const paragraphs: string[] = [];
  let paragraph = "";
  let tables = 0;
  let hidden = 0;
  let isText = false;
  for (const [token, slash, name] of documentXml(bytes).matchAll(tagOrText)) {
    const nesting = nestingOf(token);
    if (name !== undefined && hiddenTags.has(name)) hidden += nesting;
    if (hidden > 0) continue;
    // Only w:t and m:t have text that is shown. Equations (m:t) lose their layout.
    if (name === undefined) paragraph += isText ? decodeXml(token) : "";
    else if (name === "w:t" || name === "m:t") isText = nesting === 1;
    else if (name === "w:tbl") tables += nesting;
    else if (slash && name === (tables > 0 ? "w:tr" : "w:p")) {
      paragraphs.push(plainText(name === "w:tr" ? paragraph.replace(/[ |]+$/, "") : paragraph));
      paragraph = "";
    } else paragraph += textOfTag[slash + name] ?? "";
  }
  return paragraphsOf(paragraphs);
}

function documentXml(bytes: Buffer): string {
  if (bytes.toString("hex", 0, 4) === "d0cf11e0") throw new RenderFailure(protectedByPassword);
  const part = "word/document.xml";
  let isTooLarge = false;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    isTooLarge ||= name === part && originalSize > maxXmlBytes;
    return name === part && !isTooLarge;
  };
  try {
    const xml = unzipSync(bytes, { filter })[part];
    if (xml) return Buffer.from(xml).toString();
  } catch {
    // The bytes are no zip file, or the document in it is damaged: both are reported below.
  }
  throw new RenderFailure(notRendered(isTooLarge ? tooMuchMemory : "is damaged"));
}

function paragraphsOf(texts: string[]): string[] {
  const paragraphs = texts.map((text) => text.trim()).filter((text) => text !== "");
  if (paragraphs.join("").length <= maxLength) return paragraphs;
  throw new RenderFailure(notRendered("has more text than one script may have"));
}
