/** Scripts on paper: written, printed, and scanned again, not always straight. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateSync } from "node:zlib";
import { init } from "@embedpdf/pdfium";
import { prepareZXingModule, readBarcodes, writeBarcode } from "zxing-wasm/full";
import { pdfOfPages } from "./pdf-bytes.ts";
import { pixelsOf } from "./webp.ts";

const { resolve } = createRequire(import.meta.url);
const wasmOf = (name: string) => new Uint8Array(readFileSync(resolve(name))).buffer;
const pdfium = await init({ wasmBinary: wasmOf("@embedpdf/pdfium/pdfium.wasm") });
pdfium.PDFiumExt_Init();
await prepareZXingModule({
  overrides: { wasmBinary: wasmOf("zxing-wasm/full/zxing_full.wasm") },
  fireImmediately: true,
});

/** PDFium's memory, which the package's types leave out. It is another buffer once it has grown. */
const memory = () => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;

/** A sheet of paper, a byte for each dot from black to white. */
interface Paper {
  width: number;
  height: number;
  dots: Uint8Array;
}

/** A page with a QR code. */
export async function codePage(text: string): Promise<{ content: string }> {
  const { symbol } = await writeBarcode(text, { format: "QRCode", addQuietZones: false });
  const squares = [...symbol.data].flatMap((dot, index) =>
    dot === 0
      ? `${250 + 4 * (index % symbol.width)} ${560 - 4 * Math.floor(index / symbol.width)} 4 4 re`
      : [],
  );
  return { content: `${squares.join(" ")} f` };
}

/** A page of an answer: lines by hand, and a code that says which page it is. */
export async function answerPage(name: string): Promise<{ content: string }> {
  const { content } = await codePage(`answer:${name}`);
  const lines = [400, 200, 100].map((y) => `60 ${y} m 200 ${y + 10} 300 ${y - 10} 500 ${y} c S`);
  const text = `BT /F1 14 Tf 60 780 Td (Page ${name}) Tj ET`;
  return { content: `${content} 1.2 w ${lines.join(" ")} ${text}` };
}

/** The name of the page in a picture, and its turn clockwise in degrees; undefined if no answer is on it. */
export async function readAnswer(
  webp: Buffer,
): Promise<{ name: string; turned: number } | undefined> {
  const codes = await readBarcodes(await pixelsOf(webp), { formats: ["QRCode"] });
  const found = codes.find(({ text }) => text.startsWith("answer:"));
  if (!found) return undefined;
  const turned = (360 + 90 * Math.round(found.rotation / 90)) % 360;
  return { name: found.text.slice("answer:".length), turned };
}

/** Prints the pages of a PDF, in shades of grey. */
export function printed(bytes: Buffer, dpi: number): Paper[] {
  const at = pdfium.pdfium.wasmExports.malloc(bytes.length);
  memory().set(bytes, at);
  const pdf = pdfium.FPDF_LoadMemDocument(at, bytes.length, "");
  const papers = Array.from({ length: pdfium.FPDF_GetPageCount(pdf) }, (_, index) => {
    const page = pdfium.FPDF_LoadPage(pdf, index);
    const [width, height] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map(
      (points) => Math.round((points / 72) * dpi),
    ) as [number, number];
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, 4, 0, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = memory().subarray(start, start + 4 * width * height);
    const dots = Uint8Array.from({ length: width * height }, (__, dot) => pixels[4 * dot + 1]!);
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(page);
    return { width, height, dots };
  });
  pdfium.FPDF_CloseDocument(pdf);
  pdfium.pdfium.wasmExports.free(at);
  return papers;
}

/** How a page lies in the scanner. */
export interface Lying {
  /** By how many degrees the page is turned clockwise. */
  turned?: 0 | 90 | 180 | 270;
  /** By how many degrees more the page lies askew, clockwise. */
  tilted?: number;
}

/** The picture that a scanner makes: paper that is not quite white, a shadow at its edge, and noise. */
export function scanned(paper: Paper, { turned = 0, tilted = 0 }: Lying, seed: number): Paper {
  const isAcross = turned % 180 !== 0;
  const [width, height] = isAcross ? [paper.height, paper.width] : [paper.width, paper.height];
  const angle = ((turned + tilted) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const random = randomFrom(seed);
  const dots = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const fromX = Math.round(cos * dx + sin * dy + paper.width / 2);
      const fromY = Math.round(cos * dy - sin * dx + paper.height / 2);
      const isOn = fromX >= 0 && fromY >= 0 && fromX < paper.width && fromY < paper.height;
      const ink = isOn ? paper.dots[fromY * paper.width + fromX]! : 255;
      const noise = (random() + random() + random() - 1.5) * 30;
      const shadow = x < width * 0.012 ? 90 : 0;
      dots[y * width + x] = Math.max(0, Math.min(255, 40 + ink * 0.78 + noise - shadow));
    }
  }
  return { width, height, dots };
}

/** Returns a source of numbers from 0 to 1, which are always the same for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A PDF of scanned pages, in sixteen shades to keep it small. */
function pdfOfScans(papers: Paper[], dpi: number): Buffer {
  const objects = papers.map(({ width, height, dots }, index) => {
    const rowBytes = Math.ceil(width / 2);
    const packed = Buffer.alloc(rowBytes * height);
    dots.forEach((dot, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      packed[y * rowBytes + (x >> 1)]! |= (dot >> 4) << (x % 2 === 0 ? 4 : 0);
    });
    const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 4/Filter/FlateDecode`;
    return [1000 + index, { entries, stream: deflateSync(packed, { level: 1 }) }] as const;
  });
  const pages = papers.map(({ width, height }, index) => {
    const size = [(width / dpi) * 72, (height / dpi) * 72] as [number, number];
    return {
      size,
      content: `${size[0]} 0 0 ${size[1]} 0 0 cm /Im Do`,
      resources: `/XObject<</Im ${1000 + index} 0 R>>`,
    };
  });
  return pdfOfPages(pages, Object.fromEntries(objects));
}

/**
 * A leaf of the stack: "#12" is the cover sheet of learner 12, "_" is blank, and others are answers of this name.
 * `drawn` is what was drawn on the leaf by hand, as the content of a PDF page.
 */
export type Leaf = string | [name: string, lying: Lying, drawn?: string];

/** Paper with ink on it: the darker of both. */
const withInk = (paper: Paper, ink: Paper): Paper => ({
  ...paper,
  dots: paper.dots.map((dot, at) => Math.min(dot, ink.dots[at]!)),
});

async function printedAnswer(name: string, dpi: number): Promise<Paper> {
  const content = name === "_" ? {} : await answerPage(name);
  return printed(pdfOfPages([content]), dpi)[0]!;
}

const a4: [number, number] = [595, 842];

/** Scans a stack as a PDF. @param sheets the PDF of the cover sheets, in the order of `numbers` */
export async function scanOf(
  stack: Leaf[],
  { sheets, numbers, dpi }: { sheets: Buffer; numbers: string[]; dpi: number },
): Promise<Buffer> {
  const coverSheets = printed(sheets, dpi);
  const leaves = stack.map((leaf) => (typeof leaf === "string" ? ([leaf, {}] as const) : leaf));
  const papers: Paper[] = [];
  for (const [index, [name, lying, drawn]] of leaves.entries()) {
    const sheet = name.startsWith("#") ? coverSheets[numbers.indexOf(name.slice(1))]! : undefined;
    const paper = sheet ?? (await printedAnswer(name, dpi));
    const ink = drawn && printed(pdfOfPages([{ content: drawn, size: a4 }]), dpi)[0]!;
    papers.push(scanned(ink ? withInk(paper, ink) : paper, lying, index + 1));
  }
  return pdfOfScans(papers, dpi);
}
