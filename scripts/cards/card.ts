import { escapeXml } from "../../app/domain/xml.ts";
import type { CardText } from "../../app/server/content/card-name.ts";
import { advanceWidth } from "./svg.ts";

export const width = 1200;
export const height = 630;

// The light colours of app/styles/tokens.css.
const paper = "#fbf8f2";
const ink = "#1b1d2a";
const rule = "#e3dccf";
const red = "#b3261e";

/** The colours, and blends of those that are next to each other at the edges of characters. */
export const palette = [
  paper,
  ink,
  rule,
  red,
  ...blends(paper, ink, 10),
  ...blends(paper, red, 8),
  ...blends(rule, ink, 4),
  ...blends(rule, red, 3),
];

/** Left edge of all text: right of the margin line. */
const left = 172;
export const maxTitleWidth = 950;

/** Title sizes, largest first, with line height and maximum number of lines. */
const sizes = [
  { size: 76, lead: 92, max: 3 },
  { size: 66, lead: 80, max: 4 },
  { size: 56, lead: 68, max: 5 },
  { size: 44, lead: 54, max: 6 },
];

/** Returns a page's social card (og:image) as SVG. */
export function card({ name, category, title }: CardText): string {
  const { lines, size, lead } = titleLines(title);
  // The paper is ruled for the title; the baselines are a little above the ruling.
  const firstBaseline = 150 + lead;
  const ruling = Array.from(
    { length: Math.ceil((height - firstBaseline) / lead) + 1 },
    (_, line) => {
      const y = firstBaseline + (line - 1) * lead + Math.round(size * 0.26);
      return `M0 ${y}h${width}`;
    },
  );
  const write = (text: string, y: number, size: number, colour: string) =>
    `<text x="${left}" y="${y}" font-size="${size}" fill="${colour}">${escapeXml(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <path fill="${paper}" d="M0 0h${width}v${height}H0z"/>
    <path stroke="${rule}" stroke-width="2" d="${ruling.join("")}"/>
    <path stroke="${red}" stroke-width="3" d="M132 0v${height}"/>
    <path fill="${red}" transform="translate(26 ${firstBaseline - 66}) scale(3.5)" d="${tick}"/>
    ${category ? write(category, 96, 34, red) : ""}
    ${lines.map((line, index) => write(line, firstBaseline + index * lead, size, ink)).join("")}
    ${name ? `<path fill="${paper}" d="M134 540h${width - 134}v90H134z"/>${write(name, 590, 40, ink)}` : ""}
  </svg>`;
}

/** The SVG path of the tick in app/islands/form/tick.tsx. */
const tick =
  "M2.5 12.8c.5-.8 1.4-1 2.3-.5 1.5.8 2.7 2.3 3.5 4.3C11.3 10.8 15.2 6.2 20.6 2.6c.8-.5 1.7.3 1.1 1.1C16.8 9.2 13 15 10 21.2c-.6 1.3-2.4 1.4-3 0-1.1-2.9-2.6-5.6-4.2-7.2-.4-.4-.5-.8-.3-1.2z";

/**
 * Breaks a title at the largest size that fits, into lines as equal as possible.
 * @throws Error if it does not fit at any size
 */
export function titleLines(title: string): { lines: string[]; size: number; lead: number } {
  const words = title.split(/\s+/).map((word) => ({ word, wordWidth: advanceWidth(word) }));
  const space = advanceWidth(" ");
  for (const { size, lead, max } of sizes) {
    const lines = wrap(words, space, maxTitleWidth / size);
    const isWide = words.some(({ wordWidth }) => wordWidth * size > maxTitleWidth);
    if (isWide || lines.length > max) continue;
    let lineWidth = maxTitleWidth / size;
    while (wrap(words, space, lineWidth - 0.1).length === lines.length && lineWidth > 1) {
      lineWidth -= 0.1;
    }
    return { lines: wrap(words, space, lineWidth), size, lead };
  }
  throw new Error(`The title is too long for a social card: ${title}`);
}

/** Breaks words into lines. Widths are those at a font size of 1 px. */
function wrap(
  words: { word: string; wordWidth: number }[],
  space: number,
  maxLineWidth: number,
): string[] {
  const lines: string[] = [];
  // No word fits into this line, so the first one begins a line.
  let lineWidth = Number.POSITIVE_INFINITY;
  for (const { word, wordWidth } of words) {
    if (lineWidth + space + wordWidth > maxLineWidth) {
      lines.push(word);
      lineWidth = wordWidth;
    } else {
      lines.push(`${lines.pop()} ${word}`);
      lineWidth += space + wordWidth;
    }
  }
  return lines;
}

/** Returns `count` evenly spaced colours between two, excluding both. */
function blends(from: string, to: string, count: number): string[] {
  const channel = (hex: string, index: number) =>
    Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16);
  return Array.from({ length: count }, (_, step) => {
    const share = (step + 1) / (count + 1);
    const mixed = [0, 1, 2].map((index) =>
      Math.round(channel(from, index) * (1 - share) + channel(to, index) * share)
        .toString(16)
        .padStart(2, "0"),
    );
    return `#${mixed.join("")}`;
  });
}
