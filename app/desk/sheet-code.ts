/** The QR codes of cover sheets, such as “cover-sheet:1a2b3c4d:17” in one class, or “cover-sheet:17” in any class. */
import { prepareZXingModule, readBarcodes, writeBarcode } from "zxing-wasm/full";
import type { PageTurn } from "../domain/stamp.ts";
import type { CoverSheet } from "./script-job.ts";
import type { CodeCorners } from "./sheet-writing.ts";
import { readWasm } from "./wasm.ts";

/** Maximum number of codes that are read from a page: some may not be those of a cover sheet. */
const maxCodes = 8;
/** Maximum length of a learner's number, in characters. */
const maxNumber = 20;

let started: Promise<unknown> | undefined;

/** Starts the library once. Passes it the bytes of its module, because it would fetch them by a URL otherwise. */
function start(): Promise<unknown> {
  started ??= prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readWasm("zxing_full.wasm")).buffer },
    fireImmediately: true,
  });
  return started;
}

/** Returns the rows of a code, from the top; true is dark. */
export async function sheetCode({ number, classNumber }: CoverSheet): Promise<boolean[][]> {
  await start();
  const text = `cover-sheet:${classNumber ? `${classNumber}:` : ""}${encodeURIComponent(number)}`;
  const { symbol } = await writeBarcode(text, {
    format: "QRCode",
    options: "ecLevel=Q",
    addQuietZones: false,
  });
  const { data, width, height } = symbol;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => data[y * width + x] === 0),
  );
}

interface SheetNumbers {
  sheetNumber: string;
  /** Null if the code has none. */
  classNumber: string | null;
}

/** Returns what the codes of a cover sheet say, and the turn that brings it upright; undefined if there are none. */
export async function readSheetCode(
  picture: Pick<ImageData, "data" | "width" | "height">,
): Promise<(SheetNumbers & { turn: PageTurn; corners: CodeCorners[] }) | undefined> {
  await start();
  const codes = await readBarcodes(picture as ImageData, {
    formats: ["QRCode"],
    maxNumberOfSymbols: maxCodes,
    textMode: "Plain",
    tryInvert: false,
  });
  const sheets = codes.flatMap(({ text, rotation, position }) => {
    const numbers = numbersIn(text);
    return numbers ? [{ numbers, rotation, position }] : [];
  });
  const [first] = sheets;
  if (!first) return undefined;
  return {
    ...first.numbers,
    turn: ((360 - 90 * Math.round(first.rotation / 90)) % 360) as PageTurn,
    corners: sheets.map(({ position }) => position),
  };
}

const sheetText = /^cover-sheet:(?:(?<classNumber>[\da-f]{8}):)?(?<encoded>[^:]*)$/;

function numbersIn(text: string): SheetNumbers | undefined {
  const { classNumber = null, encoded } = sheetText.exec(text)?.groups ?? {};
  if (encoded === undefined) return undefined;
  try {
    const sheetNumber = decodeURIComponent(encoded);
    const isNumber =
      sheetNumber.length <= maxNumber && /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u.test(sheetNumber);
    return isNumber ? { sheetNumber, classNumber } : undefined;
  } catch {
    return undefined;
  }
}
