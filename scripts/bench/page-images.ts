/**
 * npm run bench -- page-images [FOLDER]: processor time and size of the page images of a class of 40 scripts of six
 * pages: typed, and scans at 200 dpi in grey and in colour, which Chromium makes. Writes the first page of each kind
 * into the folder, to be looked at: half of its writing is faint pencil.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { renderFile } from "../../app/desk/render-file.ts";
import { type PdfSource, pdfOfPages, textLines } from "../../tests/support/pdf-bytes.ts";
import { launchBrowser } from "../find-browser.ts";

const folder = process.argv[3];
const executable = path.join(import.meta.dirname, "../../dist/rubricon");
const files = 40;
const pagesPerFile = 6;

const browser = await launchBrowser();
const canvas = await browser.newPage();
await measure("typed", typedScript());
await measure("grey scan", await scannedScript(canvas, { isGrey: true }));
await measure("colour scan", await scannedScript(canvas, { isGrey: false }));
await browser.close();

async function measure(name: string, bytes: Buffer): Promise<void> {
  const cpuBefore = cpuSecondsOfChildren();
  let pictures = 0;
  let size = 0;
  for (let file = 0; file < files; file += 1) {
    const rendered = await renderFile({ bytes, name: "scan.pdf" }, { program: [executable] });
    if (rendered.kind !== "pages") throw new Error(JSON.stringify(rendered));
    pictures += rendered.pages.length;
    for (const { webp } of rendered.pages) size += webp.length;
    const [first] = rendered.pages;
    if (folder && file === 0) writeFileSync(path.join(folder, `${name}.webp`), first!.webp);
  }
  const cpu = cpuSecondsOfChildren() - cpuBefore;
  console.log(
    `${name}: ${pictures} pages, ${(bytes.length / 1000 / pagesPerFile).toFixed(0)} kB each in the file; picture ${(cpu / pictures).toFixed(2)} s of CPU, ${(size / pictures / 1000).toFixed(0)} kB`,
  );
}

/** CPU time of all children that have ended; Linux counts it in hundredths of a second. */
function cpuSecondsOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function typedScript(): Buffer {
  const line = "The leaves of a desert plant are small, thick and waxy, so it loses less water.";
  const content = textLines(Array.from({ length: 44 }, () => line));
  return pdfOfPages(Array.from({ length: pagesPerFile }, () => ({ content })));
}

async function scannedScript(canvas: Page, { isGrey }: { isGrey: boolean }): Promise<Buffer> {
  const images: Record<number, PdfSource> = {};
  const pages = [];
  for (let number = 0; number < pagesPerFile; number += 1) {
    const jpeg = await canvas.evaluate(drawScan, { seed: number + 1, isGrey });
    images[1000 + number] = {
      entries:
        "/Type/XObject/Subtype/Image/Width 1654/Height 2339/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
      stream: Buffer.from(jpeg.replace(/^.*,/, ""), "base64"),
    };
    const resources = `/XObject<</Im ${1000 + number} 0 R>>`;
    pages.push({ content: "595 0 0 842 0 0 cm /Im Do", resources });
  }
  return pdfOfPages(pages, images);
}

/** In the browser: returns A4 at 200 dpi with noise, ruled lines and strokes like handwriting, as JPEG. */
function drawScan({ seed, isGrey }: { seed: number; isGrey: boolean }): string {
  let state = seed * 7919;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const element = document.createElement("canvas");
  [element.width, element.height] = [1654, 2339];
  const context = element.getContext("2d")!;
  const colours = isGrey
    ? { paper: "#eee", rule: "#ccc", ink: "#333" }
    : { paper: "#f2efe6", rule: "#bcd0ea", ink: "#1c2f7a" };
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, element.width, element.height);
  for (let y = 200; y < 2250; y += 64) {
    context.strokeStyle = colours.rule;
    context.lineWidth = 2;
    context.strokeRect(100, y, 1454, 0);
    const isFaint = (y - 200) % 128 === 0;
    context.strokeStyle = isFaint ? "#c4c4c4" : colours.ink;
    context.lineWidth = isFaint ? 3 : 4;
    context.beginPath();
    for (let x = 120; x < 1480; x += 14 + 12 * random()) {
      if (random() < 0.15) {
        x += 24;
        context.moveTo(x, y - 10);
      }
      const rise = 14 + 30 * random();
      context.bezierCurveTo(x - 6, y - rise, x + 10, y - rise, x + 10 * random(), y - 8 * random());
    }
    context.stroke();
  }
  const image = context.getImageData(0, 0, element.width, element.height);
  for (let i = 0; i < image.data.length; i += 4) {
    const grey = random();
    for (let channel = 0; channel < 3; channel += 1) {
      image.data[i + channel]! += 12 * ((isGrey ? grey : random()) - 0.5);
    }
  }
  context.putImageData(image, 0, 0);
  return element.toDataURL("image/jpeg", 0.6);
}
