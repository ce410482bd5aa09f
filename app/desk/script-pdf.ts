/** Writes PDFs: learners' scripts with their stamps, cover sheets, and copies of pages. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isByHand } from "../domain/handwriting.ts";
import {
  type DrawnStamp,
  dotRadius,
  drawStamps,
  haloWidth,
  lineHeight,
  penWidth,
  sizeInUnits,
  stampPaths,
  textSize,
  turnedSize,
} from "../domain/stamp-drawing.ts";
import { copyIn, loadFlattened, openPdf, type Pdfium, startPdfium } from "./pdf-pages.ts";
import { notRendered, RenderFailure, tooMuchMemory } from "./render-failure.ts";
import { scriptCharacters, scriptFonts } from "./script-fonts.ts";
import type { CoverSheet, ScriptPage, ScriptPart, TextBlock, TextColour } from "./script-job.ts";
import { sheetCode } from "./sheet-code.ts";
import {
  codePlaces,
  codeSide,
  lineSpacing,
  linesGap,
  linesY,
  nameTop,
  paper,
  sheetLines,
  textSizes,
  tickBox,
} from "./sheet-layout.ts";
import type { Point } from "./sheet-writing.ts";

/** The width that is kept for texts at the right margin, in points. */
const rightWidth = 90;
const spaceAfter = 5;
/** The shortest line under a signature, in points. */
const signatureWidth = 170;

type Colour = [red: number, green: number, blue: number];
const colours: Record<TextColour | "white", Colour> = {
  ink: [27, 29, 42],
  pencil: [107, 104, 112],
  red: [179, 38, 30],
  white: [255, 255, 255],
};

/** A ring around the origin with a radius of 1, a little askew as if drawn by hand. */
const circle =
  "M-1 -0.1 C-1 0.5 -0.6 1 -0.05 1 C0.6 1 1 0.62 1 0.08 C1 -0.5 0.62 -1 0.05 -1 C-0.6 -1 -1 -0.6 -1 -0.1";

/** Constants from PDFium's headers. */
const trueTypeFont = 2;
const strokeText = 1;
const roundEnds = 1;
const fillAll = 2;

/**
 * Writes the parts as one PDF.
 * @throws RenderFailure if a file is damaged, or PDFium's memory is used up: PDFium alone would leave parts out
 */
export async function writeScript(parts: ScriptPart[]): Promise<Buffer> {
  let isOutOfMemory = false;
  const pdfium = await startPdfium(() => {
    isOutOfMemory = true;
  });
  const writer = new ScriptWriter(pdfium);
  for (const part of parts) {
    if ("blocks" in part) writer.addText(part.blocks);
    else if ("sheet" in part) writer.addSheet(part.sheet, await sheetCode(part.sheet));
    else writer.addPages(part.file, part.pages);
  }
  const bytes = writer.bytes();
  if (isOutOfMemory) throw new RenderFailure(notRendered(tooMuchMemory));
  return bytes;
}

class ScriptWriter {
  readonly #pdfium: Pdfium;
  readonly #document: number;
  /** Loaded when the first text is written: the PDF contains every font that was loaded. */
  #fonts: Fonts | undefined;
  #page = 0;
  #pageCount = 0;
  #height = 0;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
    this.#document = pdfium.FPDF_CreateNewDocument();
  }

  #loadFonts(): Fonts {
    const beside = (name: string) => readFileSync(path.join(import.meta.dirname, name));
    const load = (name: string, characters: string): Font => {
      const bytes = beside(name);
      const copy = copyIn(this.#pdfium, bytes);
      const { length } = bytes;
      return {
        pointer: this.#pdfium.FPDFText_LoadFont(this.#document, copy, length, trueTypeFont, true),
        characters: new Set(characters),
        widths: new Map(),
      };
    };
    const characters: [string, string, string] = JSON.parse(String(beside(scriptCharacters)));
    return {
      plain: load(scriptFonts[0], characters[0]),
      extended: load(scriptFonts[1], characters[1]),
      hand: load(scriptFonts[2], characters[2]),
    };
  }

  bytes(): Buffer {
    this.#endPage();
    const { pdfium } = this.#pdfium;
    const writer = this.#pdfium.PDFiumExt_OpenFileWriter();
    this.#pdfium.PDFiumExt_SaveAsCopy(this.#document, writer);
    const size = this.#pdfium.PDFiumExt_GetFileWriterSize(writer);
    const at = pdfium.wasmExports.malloc(size);
    this.#pdfium.PDFiumExt_GetFileWriterData(writer, at, size);
    return Buffer.from(pdfium.HEAPU8.slice(at, at + size));
  }

  /** Adds pages of a file as they are shown, with their stamps. */
  addPages(file: Buffer, pages: ScriptPage[]): void {
    const pdfium = this.#pdfium;
    const { pdf: source, close } = openPdf(pdfium, file);
    for (const { page: number, turn, stamps = [] } of pages) {
      const page = loadFlattened(pdfium, source, number);
      const width = pdfium.FPDF_GetPageWidthF(page);
      const height = pdfium.FPDF_GetPageHeightF(page);
      pdfium.FPDF_ClosePage(page);
      const copy = pdfium.FPDF_NewXObjectFromPage(this.#document, source, number - 1);
      const object = pdfium.FPDF_NewFormObjectFromXObject(copy);
      // Turns the page clockwise around its lower left corner, and moves it back into view.
      const matrix = {
        0: [1, 0, 0, 1, 0, 0],
        90: [0, -1, 1, 0, 0, width],
        180: [-1, 0, 0, -1, width, height],
        270: [0, 1, -1, 0, height, 0],
      }[turn];
      this.#transform(object, matrix);
      const size = { width, height };
      const shown = turnedSize(size, turn);
      this.#newPage(shown);
      pdfium.FPDFPage_InsertObject(this.#page, object);
      pdfium.FPDF_CloseXObject(copy);
      const unit = shown.width / sizeInUnits(size, turn).width;
      for (const drawn of drawStamps(stamps, size, turn)) this.#stamp(drawn, unit);
    }
    close();
  }

  /** Adds a cover sheet, with its code at the top and at the bottom: one of them may be stapled or torn. */
  addSheet({ number, name }: CoverSheet, code: boolean[][]): void {
    const { margin, height } = paper;
    const words: TextBlock[] = [
      { text: name, size: "title", colour: "ink" },
      { text: `Number ${number}`, size: "heading", colour: "ink" },
    ];
    this.addText(words, height - nameTop);
    for (const { x, y } of codePlaces) this.#code(code, { x, y: height - y - codeSide });
    for (const [index, line] of sheetLines.entries()) {
      const place = { x: margin + (index === 0 ? 28 : 0), y: height - linesY - linesGap * index };
      this.#text(line, place, { size: textSizes.body, font: "text", colour: "ink" });
    }
    const { x, side } = tickBox;
    const y = height - tickBox.y - side;
    const place = (dx: number, dy: number) => ({ x: x + dx * side, y: y + dy * side });
    this.#path("M0 0 L1 0 L1 1 L0 1 L0 0", place, 1, "ink");
  }

  /** Draws a code as one shape, so that no lines show between its squares. x and y: its lower left corner. */
  #code(rows: boolean[][], { x, y }: Point): void {
    const pdfium = this.#pdfium;
    const unit = codeSide / rows.length;
    const object = pdfium.FPDFPageObj_CreateNewPath(x, y);
    rows.forEach((row, index) => {
      const upper = y + (rows.length - index) * unit;
      const lower = upper - unit;
      row.forEach((isDark, column) => {
        if (!isDark) return;
        const left = x + column * unit;
        pdfium.FPDFPath_MoveTo(object, left, lower);
        pdfium.FPDFPath_LineTo(object, left + unit, lower);
        pdfium.FPDFPath_LineTo(object, left + unit, upper);
        pdfium.FPDFPath_LineTo(object, left, upper);
        pdfium.FPDFPath_Close(object);
      });
    });
    pdfium.FPDFPageObj_SetFillColor(object, 0, 0, 0, 255);
    pdfium.FPDFPath_SetDrawMode(object, fillAll, false);
    pdfium.FPDFPage_InsertObject(this.#page, object);
  }

  /** Adds pages of text. @param top where the first line begins, in points from the lower edge */
  addText(blocks: TextBlock[], top = paper.height - paper.margin): void {
    const { margin } = paper;
    this.#newPage(paper);
    let y = top;
    for (const { text, size: name, colour, right, isSignature } of blocks) {
      // Space above a line with marks, so that the line is read with the text below it.
      if (right) y -= spaceAfter;
      const font = colour === "red" && isByHand(text) ? "hand" : "text";
      const size = textSizes[name] * (font === "hand" ? 1.3 : 1);
      const room = paper.width - 2 * margin - (right ? rightWidth : 0);
      for (const [index, line] of this.#linesOf(text, size, font, room).entries()) {
        if (y - lineSpacing * size < margin) {
          this.#newPage(paper);
          y = paper.height - margin;
        }
        y -= lineSpacing * size;
        this.#text(line, { x: margin, y }, { size, font, colour });
        if (isSignature) {
          const end = Math.max(signatureWidth, this.#widthOf(line, size, font));
          this.#path(`M0 0 L${end} 0`, (x) => ({ x: margin + x, y: y - spaceAfter }), 0.75, "ink");
          y -= spaceAfter;
        }
        if (right && index === 0) this.#rightText(right, y, size);
      }
      y -= spaceAfter;
    }
  }

  /** Writes a text at the right margin. A total is ringed: dashed in pencil until every mark is decided. */
  #rightText({ text, colour, isRinged }: RightText, y: number, size: number): void {
    const width = this.#widthOf(text, size, "text");
    const left = paper.width - paper.margin - width - (isRinged ? size / 2 : 0);
    this.#text(text, { x: left, y }, { size, font: "text", colour });
    if (!isRinged) return;
    const middle = { x: left + width / 2, y: y + 0.36 * size };
    const [radiusX, radiusY] = [width / 2 + size / 2, 0.8 * size];
    const place = (x: number, y: number) => ({
      x: middle.x + x * radiusX,
      y: middle.y + y * radiusY,
    });
    const ring = this.#path(circle, place, 1.5, colour);
    if (colour !== "pencil") return;
    const dashes = copyIn(this.#pdfium, Buffer.from(new Float32Array([4, 3]).buffer));
    this.#pdfium.FPDFPageObj_SetDashArray(ring, dashes, 2, 0);
    this.#pdfium.pdfium.wasmExports.free(dashes);
  }

  #newPage({ width, height }: { width: number; height: number }): void {
    this.#endPage();
    this.#page = this.#pdfium.FPDFPage_New(this.#document, this.#pageCount, width, height);
    this.#pageCount += 1;
    this.#height = height;
  }

  #endPage(): void {
    if (this.#page === 0) return;
    this.#pdfium.FPDFPage_GenerateContent(this.#page);
    this.#pdfium.FPDF_ClosePage(this.#page);
    this.#page = 0;
  }

  /** Draws a stamp. @param unit the length of a unit of `DrawnStamp`, in points */
  #stamp({ stamp, x, y, lines, anchor, firstLineY }: DrawnStamp, unit: number): void {
    const at = (unitX: number, unitY: number) => ({
      x: unitX * unit,
      y: this.#height - unitY * unit,
    });
    if (stamp.kind !== "comment") {
      for (const [width, colour] of [
        [haloWidth, "white"],
        [penWidth, "red"],
      ] as const) {
        this.#path(stampPaths[stamp.kind], (dx, dy) => at(x + dx, y + dy), width * unit, colour);
      }
      return;
    }
    this.#path("M0 0 L0 0.1", (dx, dy) => at(x + dx, y + dy), 2 * dotRadius * unit, "red");
    const size = textSize * unit;
    lines.forEach((line, index) => {
      const start = at(x, firstLineY + index * lineHeight + lineHeight / 4);
      const beside = 3 * dotRadius * unit;
      const left = anchor === "start" ? beside : -beside - this.#widthOf(line, size, "hand");
      const place = { x: start.x + left, y: start.y };
      this.#halo(line, place, { size, font: "hand", width: haloWidth * unit * 0.6 });
      this.#text(line, place, { size, font: "hand", colour: "red" });
    });
  }

  /** Draws an SVG path of M, L and C. Returns PDFium's pointer to it. @param place puts a point of it on the page */
  #path(path: string, place: (x: number, y: number) => Point, width: number, colour: Ink): number {
    const pdfium = this.#pdfium;
    let object = 0;
    for (const [, command, rest] of path.matchAll(/([MLC])([^MLC]+)/g)) {
      const numbers = rest!.trim().split(/\s+/).map(Number);
      const points = numbers.flatMap((x, i) => (i % 2 === 0 ? [place(x, numbers[i + 1]!)] : []));
      const [first, second, third] = points as [Point, Point, Point];
      if (command === "C") {
        pdfium.FPDFPath_BezierTo(object, first.x, first.y, second.x, second.y, third.x, third.y);
      } else if (command === "L") pdfium.FPDFPath_LineTo(object, first.x, first.y);
      else if (object) pdfium.FPDFPath_MoveTo(object, first.x, first.y);
      else object = pdfium.FPDFPageObj_CreateNewPath(first.x, first.y);
    }
    pdfium.FPDFPageObj_SetStrokeColor(object, ...colours[colour], 255);
    pdfium.FPDFPageObj_SetStrokeWidth(object, width);
    pdfium.FPDFPageObj_SetLineCap(object, roundEnds);
    pdfium.FPDFPageObj_SetLineJoin(object, roundEnds);
    pdfium.FPDFPath_SetDrawMode(object, 0, true);
    pdfium.FPDFPage_InsertObject(this.#page, object);
    return object;
  }

  #text(text: string, place: Point, { colour, ...look }: Look & { colour: Ink }): void {
    for (const object of this.#textObjects(text, place, look)) {
      this.#pdfium.FPDFPageObj_SetFillColor(object, ...colours[colour], 255);
    }
  }

  /** Draws the white halo of a line of text, over which the text is then written. */
  #halo(text: string, place: Point, { width, ...look }: Look & { width: number }): void {
    const pdfium = this.#pdfium;
    for (const object of this.#textObjects(text, place, look)) {
      pdfium.FPDFTextObj_SetTextRenderMode(object, strokeText);
      pdfium.FPDFPageObj_SetStrokeColor(object, ...colours.white, 255);
      pdfium.FPDFPageObj_SetStrokeWidth(object, width);
      pdfium.FPDFPageObj_SetLineJoin(object, roundEnds);
    }
  }

  /** Adds a line of text to the page. Returns PDFium's pointers to its runs, which have no colour yet. */
  #textObjects(text: string, { x, y }: Point, { size, font }: Look): number[] {
    const pdfium = this.#pdfium;
    let left = x;
    return this.#runsOf(text, font).map((run) => {
      const object = pdfium.FPDFPageObj_CreateTextObj(this.#document, run.font.pointer, size);
      const encoded = copyIn(this.#pdfium, Buffer.from(`${run.text}\0`, "utf16le"));
      pdfium.FPDFText_SetText(object, encoded);
      pdfium.pdfium.wasmExports.free(encoded);
      this.#transform(object, [1, 0, 0, 1, left, y]);
      pdfium.FPDFPage_InsertObject(this.#page, object);
      left += this.#runWidth(run, size);
      return object;
    });
  }

  #transform(object: number, matrix: number[]): void {
    const copy = copyIn(this.#pdfium, Buffer.from(new Float32Array(matrix).buffer));
    this.#pdfium.FPDFPageObj_TransformF(object, copy);
    this.#pdfium.pdfium.wasmExports.free(copy);
  }

  /** Breaks a text into lines: between words, and within words that are longer than a line. */
  #linesOf(text: string, size: number, font: Writing, room: number): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split("\n")) {
      let line = "";
      for (const word of paragraph.split(" ")) {
        const longer = line === "" ? word : `${line} ${word}`;
        if (this.#widthOf(longer, size, font) <= room) {
          line = longer;
          continue;
        }
        if (line !== "") lines.push(line);
        line = "";
        for (const character of word) {
          if (this.#widthOf(line + character, size, font) > room) {
            lines.push(line);
            line = "";
          }
          line += character;
        }
      }
      lines.push(line);
    }
    return lines;
  }

  #widthOf(text: string, size: number, font: Writing): number {
    return this.#runsOf(text, font).reduce((sum, run) => sum + this.#runWidth(run, size), 0);
  }

  #runWidth({ font, text }: Run, size: number): number {
    return [...text].reduce(
      (sum, character) => sum + this.#characterWidth(font, character) * size,
      0,
    );
  }

  /** Splits a text into runs of one font, by the first font that has a character. If no font has it, “?” is written. */
  #runsOf(text: string, font: Writing): Run[] {
    this.#fonts ??= this.#loadFonts();
    const { plain, extended, hand } = this.#fonts;
    const order = font === "hand" ? [hand, plain, extended] : [plain, extended, hand];
    const runs: Run[] = [];
    for (const character of text) {
      const own = order.find(({ characters }) => characters.has(character));
      const [used, shown] = own ? [own, character] : [plain, "?"];
      const last = runs.at(-1);
      if (last?.font === used) last.text += shown;
      else runs.push({ font: used, text: shown });
    }
    return runs;
  }

  /** The width of a character, as a share of the font size. */
  #characterWidth({ pointer, widths }: Font, character: string): number {
    const known = widths.get(character);
    if (known !== undefined) return known;
    const { pdfium } = this.#pdfium;
    const at = pdfium.wasmExports.malloc(4);
    this.#pdfium.FPDFFont_GetGlyphWidth(pointer, character.codePointAt(0)!, 1, at);
    const width = new DataView(pdfium.HEAPU8.buffer).getFloat32(at, true);
    pdfium.wasmExports.free(at);
    widths.set(character, width);
    return width;
  }
}

type Ink = keyof typeof colours;
type Writing = "text" | "hand";
type RightText = NonNullable<TextBlock["right"]>;

interface Look {
  size: number;
  font: Writing;
}

interface Font {
  pointer: number;
  characters: ReadonlySet<string>;
  /** The widths of the characters measured so far, as shares of the font size. */
  widths: Map<string, number>;
}

type Fonts = Record<"plain" | "extended" | "hand", Font>;

interface Run {
  font: Font;
  text: string;
}
