import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import type { Store } from "#db/store.ts";
import { docxParagraphs, textParagraphs } from "../app/desk/paragraphs.ts";
import { renderFile } from "../app/desk/render-file.ts";
import type { RenderedPage } from "../app/domain/page-image.ts";
import type { QueuedUpload } from "../app/domain/scan-upload.ts";
import { runClassJob } from "../app/server/jobs/class-job.ts";
import { compoundFile, declaringSize, docx, zip } from "./support/documents.ts";
import { hostilePdfs } from "./support/hostile-pdfs.ts";
import { imageObject, pdfOfPages, textLines } from "./support/pdf-bytes.ts";
import { executable } from "./support/server.ts";
import { colourAt, pixelsOf } from "./support/webp.ts";

/** What a file that is not rendered comes out as. */
const original = (reason: string) => ({
  kind: "original",
  reason: `${reason}. It was not rendered; mark it from the original.`,
});

const encrypted = { kind: "original", reason: "is protected by a password; ask for it without." };

/** Renders a PDF that must come out as pages. */
async function pagesOf(bytes: Buffer): Promise<RenderedPage[]> {
  const rendered = await renderFile({ bytes, name: "scan.pdf" });
  assert.equal(rendered.kind, "pages", JSON.stringify(rendered).slice(0, 500));
  return rendered.kind === "pages" ? rendered.pages : [];
}

const white = [255, 255, 255];
const black = [0, 0, 0];
const red = [255, 0, 0];

async function assertColour({ webp }: RenderedPage, [x, y]: [number, number], expected: number[]) {
  const colour = await colourAt(webp, x, y);
  const isNear = colour.every((value, i) => Math.abs(value - expected[i]!) < 24);
  assert.ok(isNear, `${colour} at ${x}, ${y}; expected ${expected}`);
}

test("typed pages are pictures 1,100 pixels wide with their text, in their order", async () => {
  const lines = (page: number) => [`Question ${page}`, "The leaves are thick (and waxy)."];
  const pages = await pagesOf(
    pdfOfPages([1, 2].map((page) => ({ content: textLines(lines(page)) }))),
  );
  assert.deepEqual(
    pages.map(({ webp: _, ...rest }) => rest),
    [1, 2].map((page) => ({ page, width: 1100, height: 1557, text: lines(page).join("\n") })),
  );
  for (const { webp } of pages) {
    assert.equal(webp.toString("latin1", 8, 12), "WEBP");
    assert.equal(webp.readUInt32LE(4) + 8, webp.length);
    const { width, height, data } = await pixelsOf(webp);
    assert.deepEqual([width, height], [1100, 1557]);
    const isWritten = data.some((value) => value < 128);
    assert.ok(isWritten, "the text is drawn");
  }
});

test("a process that renders ends with the program that reads its pages", async () => {
  const child = spawn(executable, ["render-file", ".pdf", "1"]);
  child.stdout.destroy();
  child.stdin.end(pdfOfPages([{ content: textLines(["One"]) }]));
  assert.deepEqual(await once(child, "exit"), [1, null]);
});

test("a scan is shown in colour, turned as its page says", async () => {
  // Red above, black below.
  const samples = Buffer.alloc(200 * 300 * 3);
  for (let i = 0; i < samples.length / 2; i += 3) samples[i] = 255;
  const scan = {
    content: "595 0 0 842 0 0 cm /Im Do",
    resources: "/XObject<</Im 1000 0 R>>",
  };
  const [upright, turned] = await pagesOf(
    pdfOfPages([scan, { ...scan, entries: "/Rotate 90" }], {
      1000: imageObject(samples, [200, 300], "DeviceRGB"),
    }),
  );
  await assertColour(upright!, [0.5, 0.25], red);
  await assertColour(upright!, [0.5, 0.75], black);
  assert.equal(turned!.height, 777);
  await assertColour(turned!, [0.75, 0.5], red);
  await assertColour(turned!, [0.25, 0.5], black);
});

test("filled form fields and ink are shown", async () => {
  const [page] = await pagesOf(
    pdfOfPages([{ entries: "/Annots[1001 0 R 1002 0 R 1003 0 R]" }], {
      1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[1001 0 R 1003 0 R]/NeedAppearances true/DA(/F1 30 Tf 1 0 0 rg)/DR<</Font<</F1 3 0 R>>>>>>>>",
      // A field that shows itself, as most programs write them.
      1001: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(x)/F 4/Rect[0 600 300 842]/AP<</N 1004 0 R>>/P 10 0 R>>",
      1002: "<</Type/Annot/Subtype/Ink/F 4/Rect[300 600 595 842]/C[1 0 0]/BS<</W 60>>/InkList[[300 700 595 700]]/P 10 0 R>>",
      1003: "<</Type/Annot/Subtype/Widget/FT/Tx/T(b)/V(MMMMMMMM)/F 4/Rect[0 300 595 400]/DA(/F1 90 Tf 1 0 0 rg)/P 10 0 R>>",
      1004: {
        entries: "/Type/XObject/Subtype/Form/BBox[0 0 300 242]",
        stream: "1 0 0 rg 0 0 300 242 re f",
      },
    }),
  );
  await assertColour(page!, [0.25, 0.15], red);
  await assertColour(page!, [0.75, 1 - 700 / 842], red);
  await assertColour(page!, [0.5, 0.95], white);
  assert.equal(page!.text, "MMMMMMMM");
});

test("a hostile, damaged or protected PDF stays an original with the reason", async () => {
  const reasons: Partial<Record<keyof typeof hostilePdfs, string>> = {
    strip: "has a page that is too long and narrow to show (page 1)",
    manyPages: "has 50,000 pages, and at most 100 are shown",
    circularTree: "is damaged (page 1)",
    halfFile: "is damaged",
  };
  for (const [name, reason] of Object.entries(reasons)) {
    const bytes = hostilePdfs[name as keyof typeof hostilePdfs]();
    assert.deepEqual(await renderFile({ bytes, name: "scan.pdf" }), original(reason), name);
  }
  const locked = await renderFile({ bytes: hostilePdfs.encrypted(), name: "scan.pdf" });
  assert.deepEqual(locked, encrypted);
});

test("a huge page is a picture of 1,100 pixels a side", async () => {
  const [page] = await pagesOf(hostilePdfs.hugePage());
  assert.deepEqual([page!.width, page!.height], [1100, 1100]);
});

test("a picture that lacks something has a warning, an empty page has none", async () => {
  const [cut] = await pagesOf(hostilePdfs.flippedBytes());
  assert.equal(cut!.warning, "page 1 may lack a part; compare with the original.");
  const [empty, unpainted, typed] = await pagesOf(
    pdfOfPages([
      {},
      { content: "1 1 1 rg 0 0 100 100 re f" },
      { content: `0 0 1 rg 0 500 595 342 re f 0 g ${textLines(["A slide"])}` },
    ]),
  );
  assert.equal(empty!.warning, undefined);
  assert.equal(unpainted!.warning, "page 2 came out empty; compare with the original.");
  assert.equal(typed!.warning, undefined);
});

/** Renders a file that must come out as paragraphs. */
async function paragraphsOf(name: string, bytes: Buffer | string): Promise<string[]> {
  const rendered = await renderFile({ bytes: Buffer.from(bytes as string), name });
  assert.equal(rendered.kind, "paragraphs", JSON.stringify(rendered));
  return rendered.kind === "paragraphs" ? rendered.paragraphs : [];
}

test("a text is its paragraphs, in every encoding that intake accepts", async () => {
  assert.deepEqual(
    await paragraphsOf("a.txt", "1.1 Café\r\nwaxy\u0007 leaves\r\n \r\n\r\n1.2 No\n"),
    ["1.1 Café\nwaxy leaves", "1.2 No"],
  );
  const utf16 = Buffer.from("\ufeffCafé", "utf16le");
  for (const [bytes, ...paragraphs] of [
    [Buffer.from("one\n\ttwo"), "one", "two"],
    [utf16, "Café"],
    [Buffer.from(utf16).swap16(), "Café"],
    [Buffer.from("Café", "latin1"), "Café"],
  ] as const) {
    assert.deepEqual(textParagraphs(bytes), paragraphs);
  }
});

test("a DOCX is its paragraphs and the rows of its tables", async () => {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const paragraph = (content: string) => `<w:p w:id="1"><w:pPr/>${content}</w:p>`;
  const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;
  const deleted = "<w:del><w:r><w:delText>gone</w:delText><w:drawing/></w:r></w:del>";
  const lines = `${run("first")}<w:r><w:br/></w:r>${run("second")}`;
  const box = paragraph(run("box"));
  const fallback = `<mc:Fallback>${box}</mc:Fallback>`;
  const gone = `<mc:Fallback>${run("gone")}</mc:Fallback>`;
  const years = `${run("B, 2003")}<w:noBreakHyphen/>${run("2004")}`;
  const parts: [xml: string, ...paragraphs: string[]][] = [
    [
      paragraph(run("Fish &amp; ") + run("chips &lt;b&gt; &#8211; &apos;x&apos;")),
      "Fish & chips <b> – 'x'",
    ],
    ["<w:p/>"],
    [paragraph(`<w:pPr><w:numPr><w:ilvl/></w:numPr></w:pPr>${run("in a list")}`), "• in a list"],
    [paragraph(`${lines}${deleted}<w:moveFrom>${run("moved")}</w:moveFrom>`), "first\nsecond"],
    [
      `<w:tbl><w:tr>${["Year", "", "Sum"].map(cell).join("")}</w:tr><w:tr>${cell("2025")}</w:tr></w:tbl>`,
      "Year |  | Sum",
      "2025",
    ],
    [paragraph("<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath><w:t/>loose"), "x+1"],
    [`<mc:AlternateContent><mc:Choice>${box}</mc:Choice>${fallback}</mc:AlternateContent>`, "box"],
    [`<mc:Fallback/>${paragraph(run("below an empty fallback"))}`, "below an empty fallback"],
    [`<mc:Fallback>${gone}${run("gone")}</mc:Fallback>`],
    [paragraph("<w:drawing><a:blip/></w:drawing>"), "[drawing]"],
    [paragraph("<w:pict><v:shape/></w:pict>"), "[drawing]"],
    [paragraph(`${run("A ")}<w:sym w:char="F0E0"/>${years}`), "A [symbol] B, 2003\u20112004"],
  ];
  const body = parts.map(([xml]) => xml).join("\n");
  const bytes = docx({ "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>` });
  const paragraphs = parts.flatMap(([, ...expected]) => expected);
  assert.deepEqual(await paragraphsOf("essay.docx", bytes), paragraphs);
});

test("a document that cannot be rendered stays an original, with the reason", async () => {
  const part = "word/document.xml";
  const bomb = declaringSize(64 * 1_048_576 + 1, zip({ [part]: "x" }));
  const long = zip({ [part]: `<w:p><w:t>${"x".repeat(500_001)}</w:t></w:p>` });
  for (const [bytes, reason, readParagraphs = docxParagraphs] of [
    [bomb, "needs more memory than one script may use"],
    [long, "has more text than one script may have"],
    [zip({ "word/other.xml": "" }), "is damaged"],
    [long.subarray(0, 100), "is damaged"],
    [Buffer.alloc(500_001, "a"), "has more text than one script may have", textParagraphs],
  ] as const) {
    assert.throws(() => readParagraphs(bytes), { message: original(reason).reason });
  }
  const text = await renderFile({ bytes: long, name: "a.docx" });
  assert.deepEqual(text, original("has more text than one script may have"));
  const word = await renderFile({ bytes: Buffer.from("x"), name: "a.doc" });
  assert.deepEqual(word, original("is a file that only Word shows"));
  const locked = compoundFile({ EncryptedPackage: Buffer.alloc(5000) });
  assert.deepEqual(await renderFile({ bytes: locked, name: "a.docx" }), encrypted);
});

test("the file at which five attempts have ended, not fewer, is not rendered again", async () => {
  assert.deepEqual(await attemptedAt(5), ["paragraphs", "paragraphs"]);
  const reason =
    "took several attempts: the program stopped, or an error occurred. It was not rendered; mark it from the original.";
  assert.deepEqual(await attemptedAt(6), [reason, "paragraphs"]);
});

test("the scan at which five attempts have ended is not cut again", async () => {
  const failure =
    "The program stopped, or an error occurred, in several attempts to cut this scan.";
  const upload = { id: 1, names: ["class.pdf"], scriptPages: null };
  assert.deepEqual(await attemptedAt(6, [upload]), [failure, "paragraphs", "paragraphs"]);
});

/** Does a job of two files at this attempt. Returns why scans failed, and the kinds of renderings or why there are none. */
async function attemptedAt(attempts: number, uploads: QueuedUpload[] = []): Promise<string[]> {
  const left = new Map([1, 2].map((id) => [id, { id, name: `script-${id}.txt` }]));
  const outcomes: string[] = [];
  const store: Partial<Store> = {
    nextScanUpload: async () => uploads[0],
    renewClassJob: async () => true,
    async endScanUpload(_id, outcome) {
      uploads.shift();
      outcomes.push("failure" in outcome ? outcome.failure : "cut");
    },
    listUnrenderedFiles: async () => [...left.values()],
    readFile: async () => Buffer.from("Leaves are thick."),
    async storeJobRendering(_job, { fileId, rendered }) {
      left.delete(fileId);
      outcomes.push(rendered.kind === "original" ? rendered.reason : rendered.kind);
      return true;
    },
    endClassJob: async () => left.size === 0,
  };
  const job = { id: 1, lease: "", assessmentId: 1, reference: "RB-1", attempts };
  const dependencies = { store: store as Store, dataDir: "" };
  assert.equal(await runClassJob(dependencies, job, new AbortController().signal), true);
  return outcomes;
}
