/** PDFs that are made to use up memory or time, or that cannot be read: encrypted or damaged. */
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { imageObject, type PdfSource, pdfOf, pdfOfPages } from "./pdf-bytes.ts";

/**
 * Returns deflated zeros, which inflate to a thousand times the size. The checksum is missing, which PDF readers
 * accept.
 */
function deflatedZeros(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1_048_576), { finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([
    Buffer.from("7801", "hex"),
    ...Array.from({ length: megabytes }, () => block),
    Buffer.from("0300", "hex"),
  ]);
}

/** Returns a PDF of one page, whose content is this stream: readers take the last /Contents of the page. */
const withContent = (entries: string, stream: Buffer | string) =>
  pdfOfPages([{ entries: "/Contents 1000 0 R" }], { 1000: { entries, stream } });

const replaced = (pdf: Buffer, text: string, by: string) =>
  Buffer.from(pdf.toString("latin1").replace(text, by), "latin1");

/** Returns a PDF of one page of grey noise, as a scanner makes it of paper. */
function greyScan(): Buffer {
  const [width, height] = [400, 560];
  const samples = Buffer.from(
    Array.from(
      { length: width * height },
      (_, i) => 200 + ((Math.imul(i, 2_654_435_761) >>> 16) % 50),
    ),
  );
  return pdfOfPages(
    [{ content: "595 0 0 842 0 0 cm /Im Do", resources: "/XObject<</Im 1000 0 R>>" }],
    {
      1000: imageObject(samples, [width, height], "DeviceGray"),
    },
  );
}

/** Returns a PDF whose page draws a form, which draws the next one ten times, and so on. */
function nestedForms(depth: number, entries: string): Buffer {
  const forms: Record<number, PdfSource> = {};
  for (let level = 0; level < depth; level += 1) {
    const isLast = level === depth - 1;
    forms[1000 + level] = {
      entries: `/Type/XObject/Subtype/Form/BBox[0 0 595 842]${entries}/Resources<</XObject<</X ${1001 + level} 0 R>>>>`,
      stream: isLast ? "0 0 100 100 re f" : "/X Do ".repeat(10),
    };
  }
  return pdfOfPages([{ content: "/X Do", resources: "/XObject<</X 1000 0 R>>" }], forms);
}

export const hostilePdfs = {
  flateInFlate: () =>
    withContent("/Filter[/FlateDecode/FlateDecode]", deflateSync(deflatedZeros(1024))),
  gigabyteOfFlate: () => withContent("/Filter/FlateDecode", deflatedZeros(1024)),
  nestedGroups: () => nestedForms(10, "/Group<</S/Transparency>>"),
  nestedForms: () => nestedForms(10, ""),
  hugePage: () => pdfOfPages([{ content: "0 0 100000 100000 re f", size: [200_000, 200_000] }]),
  strip: () => pdfOfPages([{ content: "0 0 5 100 re f", size: [10, 200_000] }]),
  manyPages: () =>
    pdfOf({
      2: `<</Type/Pages/Count 50000/Kids[${"3 0 R ".repeat(50_000)}]>>`,
      3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>",
    }),
  circularTree: () =>
    pdfOf({
      2: "<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>",
      3: "<</Type/Pages/Parent 2 0 R/Count 2/Kids[2 0 R 2 0 R]>>",
    }),
  curves: () => {
    const place = (i: number) => `${(i * 7919) % 595} ${(i * 104_729) % 842}`;
    const curve = (i: number) =>
      `${place(i)} m ${place(i + 1)} ${place(i + 2)} ${place(i + 3)} c S`;
    const content = Array.from({ length: 200_000 }, (_, i) => curve(i)).join("\n");
    return withContent("/Filter/FlateDecode", deflateSync(content));
  },
  tilingStep: () =>
    pdfOfPages(
      [
        {
          content: "/Pattern cs /P scn 0 0 595 842 re f",
          resources: "/Pattern<</P 1000 0 R>>",
        },
      ],
      {
        1000: {
          entries:
            "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 0.001/YStep 0.001/Resources<<>>",
          stream: "1 0 0 rg 0 0 5 5 re f",
        },
      },
    ),
  hugeImages: () => {
    const page = {
      content: "595 0 0 842 0 0 cm /Im Do",
      resources: "/XObject<</Im 1000 0 R>>",
    };
    return pdfOfPages([page, page, page, page, page], {
      1000: {
        entries:
          "/Type/XObject/Subtype/Image/Width 20000/Height 20000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode",
        stream: deflatedZeros(1145),
      },
    });
  },
  encrypted: () => {
    const key = "00".repeat(32);
    const encryption = `<</Filter/Standard/V 1/R 2/Length 40/P -4/O<${key}>/U<${key}>>>`;
    const id = `/ID[<${key}><${key}>]`;
    return replaced(pdfOfPages([{}], { 1000: encryption }), "/Root", `/Encrypt 1000 0 R${id}/Root`);
  },
  halfFile: () => {
    const whole = pdfOfPages([{ content: "0 0 100 100 re f" }]);
    return whole.subarray(0, whole.length / 2);
  },
  flippedBytes: () => {
    const scan = greyScan();
    for (let at = 4000; at < 4100; at += 1) scan[at]! ^= 0xff;
    return scan;
  },
};
