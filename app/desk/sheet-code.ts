/** The QR codes of cover sheets. */
import { prepareZXingModule, readBarcodes, writeBarcode } from "zxing-wasm/full";
import type { PageTurn } from "../domain/stamp.ts";
import { readWasm } from "./wasm.ts";

const prefix = "cover-sheet:";
/** A page may have codes of others. */
const maxCodes = 8;
const maxNumber = 20;

/** Without the bytes the library would fetch them. */
const start = () =>
  prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(readWasm("zxing_full.wasm")).buffer },
    equalityFn: () => true,
    fireImmediately: true,
  });

/** Returns the rows of a code, from the top; true is dark. */
export async function sheetCode(number: string): Promise<boolean[][]> {
  await start();
  const text = prefix + encodeURIComponent(number);
  const { symbol } = await writeBarcode(text, {
    ...{ format: "QRCode", options: "ecLevel=Q", addQuietZones: false },
  });
  const { data, width, height } = symbol;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => data[y * width + x] === 0),
  );
}

/** Returns the learner's number on a cover sheet, and how to turn it upright; undefined if the picture shows none. */
export async function readSheetCode(
  picture: Pick<ImageData, "data" | "width" | "height">,
): Promise<{ sheet: string; turn: PageTurn } | undefined> {
  await start();
  const codes = await readBarcodes(picture as ImageData, {
    ...{ formats: ["QRCode"], maxNumberOfSymbols: maxCodes, textMode: "Plain" },
    tryInvert: false,
  });
  for (const { text, rotation } of codes) {
    const sheet = numberIn(text);
    const turn = ((360 - 90 * Math.round(rotation / 90)) % 360) as PageTurn;
    if (sheet !== undefined) return { sheet, turn };
  }
  return undefined;
}

function numberIn(text: string): string | undefined {
  if (!text.startsWith(prefix)) return undefined;
  try {
    const number = decodeURIComponent(text.slice(prefix.length));
    return number.length <= maxNumber && /^[^\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u.test(number)
      ? number
      : undefined;
  } catch {
    return undefined;
  }
}
