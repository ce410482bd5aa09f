/** Reads the text of PDFs that Chromium prints. */
import { inflateSync } from "node:zlib";

interface PdfObject {
  /** The dictionary and everything else in front of a stream. */
  head: string;
  stream: Buffer | undefined;
}

/** Returns each page's text, in the order in which it is painted. */
export function textOfPages(pdf: Buffer): string[] {
  const objects = readObjects(pdf);
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => {
    const fonts = new Map(
      [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
        name!,
        readCharacters(objects, objects.get(id!)!.head),
      ]),
    );
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(head)![1]!)!.stream!.toString("latin1");
    return textOfContent(content, fonts);
  });
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  const text = pdf.toString("latin1");
  for (const found of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const start = found.index + found[0].length;
    const end = text.indexOf("endobj", start);
    const streamAt = text.indexOf("stream\n", start);
    const hasStream = streamAt !== -1 && streamAt < end;
    const head = text.slice(start, hasStream ? streamAt : end);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
    const bytes = pdf.subarray(streamAt + 7, streamAt + 7 + length);
    const stream = hasStream && head.includes("/FlateDecode") ? inflateSync(bytes) : bytes;
    objects.set(found[1]!, { head, stream: hasStream ? stream : undefined });
  }
  return objects;
}

/** The characters of a font by their code in hexadecimal, as its ToUnicode map says. */
function readCharacters(objects: Map<string, PdfObject>, font: string): Map<string, string> {
  const characters = new Map<string, string>();
  const id = /\/ToUnicode (\d+) 0 R/.exec(font)?.[1];
  const map = id ? objects.get(id)!.stream!.toString("latin1") : "";
  const decode = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");
  for (const [, block] of map.matchAll(/beginbfchar\n(.*?)endbfchar/gs)) {
    for (const [, code, hex] of block!.matchAll(/<(\w+)> <(\w+)>/g)) {
      characters.set(code!, decode(hex!));
    }
  }
  for (const [, block] of map.matchAll(/beginbfrange\n(.*?)endbfrange/gs)) {
    for (const [, from, to, hex] of block!.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const first = Number.parseInt(from!, 16);
      for (let code = first; code <= Number.parseInt(to!, 16); code += 1) {
        const key = code.toString(16).toUpperCase().padStart(from!.length, "0");
        const unicode = Number.parseInt(hex!, 16) + code - first;
        characters.set(key, String.fromCodePoint(unicode));
      }
    }
  }
  return characters;
}

/** The text of a page's content. A change of the height begins a new line; texts at one height follow without a gap. */
function textOfContent(content: string, fonts: Map<string, Map<string, string>>): string {
  let font = new Map<string, string>();
  let height = "";
  let text = "";
  const operators = /\/(F\d+) [\d.]+ Tf|[-\d.]+ ([-\d.]+) Tm|<([\dA-F]+)> Tj/g;
  for (const [, name, y, hex] of content.matchAll(operators)) {
    if (name) font = fonts.get(name) ?? new Map();
    if (y && y !== height) text += "\n";
    height = y ?? height;
    const size = [...font.keys()][0]?.length ?? 4;
    for (let at = 0; at < (hex?.length ?? 0); at += size) {
      text += font.get(hex!.slice(at, at + size)) ?? "�";
    }
  }
  return text;
}
