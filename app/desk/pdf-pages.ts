import { init as initPdfium, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import encodeWebp, { init as initWebp } from "@jsquash/webp/encode.js";
import type { Frame } from "./frames.ts";
import { plainText } from "./paragraphs.ts";
import {
  notRendered,
  protectedByPassword,
  RenderFailure,
  tooMuchMemory,
} from "./render-failure.ts";
import { limitMemory, readWasm } from "./wasm.ts";

const maxMemoryBytes = 384 * 1_048_576;
/** CPU time after which no further page is begun: far below the limit of the process, as a page may take seconds. */
const maxCpuMicroseconds = 8_000_000;
const width = 1100;
/** Maximum of a page's longer side divided by its shorter side. */
const maxRatio = 5;
/** Maximum length of a page's text layer, in characters; the rest is left out. */
const maxTextLength = 20_000;

/** PDFium's types lack the view of its memory, which PDFium replaces when the memory grows. */
export type Pdfium = WrappedPdfiumModule & { pdfium: { HEAPU8: Uint8Array<ArrayBuffer> } };

/** Constants from PDFium's headers. */
const passwordError = 4;
const bgra = 4;
const drawAnnotations = 0x01;
const reverseByteOrder = 0x10;
const hasFlattened = 1;
const formField = 20;

/** Makes a frame of each page of a PDF. */
export interface PageReader {
  maxPages: number;
  frameOf(page: PagePixels): Promise<Frame>;
}

/** A page as it looks, in RGBA. */
export interface PagePixels {
  /** From 1. */
  page: number;
  pixels: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  text: string;
  warning: string | undefined;
}

/** A reader that makes WebP pictures of pages. */
export async function webpReader(): Promise<PageReader> {
  await initWebp(await WebAssembly.compile(new Uint8Array(readWasm("webp_enc_simd.wasm"))));
  return {
    maxPages: 100,
    async frameOf({ page, pixels, width, height, text, warning }) {
      // Node lacks the browser's class ImageData. The encoder reads only these of its properties.
      const image = { data: pixels, width, height } as unknown as ImageData;
      const webp = await encodeWebp(image, { quality: 60, method: 2 });
      return {
        page: { page, width, height, ...(text && { text }), ...(warning && { warning }) },
        webp: Buffer.from(webp),
      };
    },
  };
}

/**
 * Yields the number of pages of a PDF, and then a frame for each page from `firstPage` on. After
 * `maxCpuMicroseconds`, begins no further page, and another child goes on. @throws RenderFailure
 */
export async function* pdfFrames(
  bytes: Buffer,
  firstPage: number,
  { maxPages, frameOf }: PageReader,
): AsyncGenerator<Frame> {
  let isOutOfMemory = false;
  let page: number | undefined;
  const pdfium = await startPdfium(() => {
    isOutOfMemory = true;
  });
  try {
    const { pdf } = openPdf(pdfium, bytes);
    const pageCount = countPages(pdfium, pdf, maxPages);
    yield { pageCount };
    for (page = firstPage; page <= pageCount; page += 1) {
      isOutOfMemory = false;
      const { pixels, height, text, isEmpty, lacksPart } = renderPage(pdfium, pdf, page);
      const lack = lacksPart || isOutOfMemory ? "may lack a part" : undefined;
      const wrong = isEmpty ? "came out empty" : lack;
      const warning = wrong && `page ${page} ${wrong}; compare with the original.`;
      yield await frameOf({ page, pixels, width, height, text, warning });
      const { user, system } = process.cpuUsage();
      if (user + system > maxCpuMicroseconds) return;
    }
  } catch (error) {
    // A PDF may cause both: PDFium aborts without memory, and deep nesting exceeds JavaScript's stack.
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    throw new RenderFailure(
      notRendered(isOutOfMemory ? tooMuchMemory : "could not be rendered", page),
    );
  }
}

/** Starts PDFium with a limit on its memory. @param onOutOfMemory called when the memory is used up */
export async function startPdfium(onOutOfMemory: () => void): Promise<Pdfium> {
  const wasm = readWasm("pdfium.wasm");
  limitMemory(wasm, maxMemoryBytes);
  const pdfium = (await initPdfium({
    wasmBinary: new Uint8Array(wasm).buffer,
    print() {},
    printErr(message: string) {
      // PDFium prints these messages when its last attempt to get memory fails; a failed earlier attempt prints others.
      if (/^(Failed to grow the heap|Cannot enlarge memory)/.test(message)) onOutOfMemory();
    },
  })) as Pdfium;
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** Copies bytes into PDFium's memory. Returns the address, to be freed after use: a PDF's once the PDF is closed. */
export function copyIn({ pdfium }: Pdfium, bytes: Uint8Array): number {
  const at = pdfium.wasmExports.malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, at);
  return at;
}

/** Opens a PDF; `pdf` is PDFium's pointer to it. @throws RenderFailure if the PDF is damaged or needs a password */
export function openPdf(pdfium: Pdfium, bytes: Buffer): { pdf: number; close: () => void } {
  const copy = copyIn(pdfium, bytes);
  const pdf = pdfium.FPDF_LoadMemDocument(copy, bytes.length, "");
  const close = () => {
    pdfium.FPDF_CloseDocument(pdf);
    pdfium.pdfium.wasmExports.free(copy);
  };
  if (pdf) return { pdf, close };
  throw new RenderFailure(
    pdfium.FPDF_GetLastError() === passwordError ? protectedByPassword : notRendered("is damaged"),
  );
}

function countPages(pdfium: Pdfium, pdf: number, maxPages: number): number {
  const count = pdfium.FPDF_GetPageCount(pdf);
  if (count < 1) throw new RenderFailure(notRendered("is damaged"));
  if (count > maxPages) {
    const [pages, max] = [count, maxPages].map((number) => number.toLocaleString("en"));
    throw new RenderFailure(notRendered(`has ${pages} pages, and at most ${max} are shown`));
  }
  return count;
}

function renderPage(pdfium: Pdfium, pdf: number, number: number) {
  const page = loadFlattened(pdfium, pdf, number);
  const height = pictureHeight(pdfium, page, number);
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgra, 0, 0);
  if (!bitmap) throw new RenderFailure(notRendered(tooMuchMemory, number));
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  const flags = drawAnnotations | reverseByteOrder;
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const pixels = pdfium.pdfium.HEAPU8.slice(at, at + width * height * 4);
  const text = textOf(pdfium, page);
  const { uniformRows, colouredRows } = countRows(pixels);
  const isEmpty = uniformRows === height && pdfium.FPDFPage_CountObjects(page) > 0;
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(page);
  // PDFium fills what is missing of a damaged scan with one colour, and reports no error. In an undamaged scan, noise
  // makes the pixels of each row differ.
  return { height, pixels, text, isEmpty, lacksPart: text === "" && colouredRows > height / 8 };
}

/**
 * Loads a page, and makes form fields and annotations part of it, because PDFium shows no fields otherwise.
 * @param number from 1
 * @returns PDFium's pointer to the page
 * @throws RenderFailure if the page is damaged
 */
export function loadFlattened(pdfium: Pdfium, pdf: number, number: number): number {
  const load = () => {
    const page = pdfium.FPDF_LoadPage(pdf, number - 1);
    if (!page) throw new RenderFailure(notRendered("is damaged", number));
    return page;
  };
  const page = load();
  addAppearances(pdfium, page);
  if (pdfium.FPDFPage_Flatten(page, 0) !== hasFlattened) return page;
  pdfium.FPDF_ClosePage(page);
  return load();
}

/** Gives an appearance to annotations that do not say how they look, such as ink: flattening would drop them. */
function addAppearances(pdfium: Pdfium, page: number): void {
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let i = 0; i < count; i += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i);
    if (pdfium.EPDFAnnot_GetAvailableAppearanceModes(annotation) === 0) {
      if (pdfium.FPDFAnnot_GetSubtype(annotation) === formField) {
        pdfium.EPDFAnnot_GenerateFormFieldAP(annotation);
      } else pdfium.EPDFAnnot_GenerateAppearance(annotation);
    }
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}

function pictureHeight(pdfium: Pdfium, page: number, number: number): number {
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page);
  if (ratio <= maxRatio && ratio >= 1 / maxRatio) return Math.round(width * ratio);
  throw new RenderFailure(notRendered("has a page that is too long and narrow to show", number));
}

/** Counts the rows of a picture with a single colour, and the rows with a single colour other than white. */
function countRows(pixels: Uint8Array): { uniformRows: number; colouredRows: number } {
  const colours = new Uint32Array(pixels.buffer);
  let uniformRows = 0;
  let colouredRows = 0;
  for (let start = 0; start < colours.length; start += width) {
    const first = colours[start]!;
    if (!colours.subarray(start, start + width).every((colour) => colour === first)) continue;
    uniformRows += 1;
    if (first !== 0xffffffff) colouredRows += 1;
  }
  return { uniformRows, colouredRows };
}

/** Returns the text layer of a page, or an empty string. */
function textOf(pdfium: Pdfium, page: number): string {
  const textPage = pdfium.FPDFText_LoadPage(page);
  const characters = charactersOf(pdfium, textPage);
  pdfium.FPDFText_ClosePage(textPage);
  return plainText(characters);
}

function charactersOf(pdfium: Pdfium, textPage: number): string {
  const length = Math.min(pdfium.FPDFText_CountChars(textPage), maxTextLength);
  if (length < 1) return "";
  const at = pdfium.pdfium.wasmExports.malloc(2 * (length + 1));
  pdfium.FPDFText_GetText(textPage, 0, length, at);
  const found = pdfium.pdfium.UTF16ToString(at);
  pdfium.pdfium.wasmExports.free(at);
  return found;
}
