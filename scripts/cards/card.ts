import type { CardText } from "../../app/server/content/card-name.ts";
import { advance, escapeXml } from "./ink.ts";

export const width = 1200;
export const height = 630;

// As in app/styles/tokens.css, in the light.
const paper = "#fbf8f2";
const ink = "#1b1d2a";
const rule = "#e3dccf";
const red = "#b3261e";

/** The colours, and the steps between those that meet at the edge of a letter. */
export const palette = [
  paper,
  ink,
  rule,
  red,
  ...steps(paper, ink, 10),
  ...steps(paper, red, 8),
  ...steps(rule, ink, 4),
  ...steps(rule, red, 3),
];

/** Where the title stands: right of the margin line, left of the edge. */
const left = 172;
export const maxTitleWidth = 950;

/** Large first; the lines of the paper go with it. */
const sizes = [
  { size: 76, lead: 92, max: 3 },
  { size: 66, lead: 80, max: 4 },
  { size: 56, lead: 68, max: 5 },
  { size: 44, lead: 54, max: 6 },
];

/** The picture that stands for a page where it is shared, as SVG. */
export function card({ name, category, title }: CardText): string {
  const { lines, size, lead } = titleLines(title);
  // The paper is ruled for the title; its lines stand a little above the ruling.
  const first = 150 + lead;
  const ruling = Array.from({ length: Math.ceil((height - first) / lead) + 1 }, (_, line) => {
    const y = first + (line - 1) * lead + Math.round(size * 0.26);
    return `M0 ${y}h${width}`;
  });
  const write = (text: string, y: number, size: number, colour: string) =>
    `<text x="${left}" y="${y}" font-size="${size}" fill="${colour}">${escapeXml(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <path fill="${paper}" d="M0 0h${width}v${height}H0z"/>
    <path stroke="${rule}" stroke-width="2" d="${ruling.join("")}"/>
    <path stroke="${red}" stroke-width="3" d="M132 0v${height}"/>
    <path fill="${red}" transform="translate(26 ${first - 66}) scale(3.5)" d="${tick}"/>
    ${category ? write(category, 96, 34, red) : ""}
    ${lines.map((line, place) => write(line, first + place * lead, size, ink)).join("")}
    ${name ? `<path fill="${paper}" d="M134 540h${width - 134}v90H134z"/>${write(name, 590, 40, ink)}` : ""}
  </svg>`;
}

/** As in app/ui/tick.tsx. */
const tick =
  "M2.5 12.8c.5-.8 1.4-1 2.3-.5 1.5.8 2.7 2.3 3.5 4.3C11.3 10.8 15.2 6.2 20.6 2.6c.8-.5 1.7.3 1.1 1.1C16.8 9.2 13 15 10 21.2c-.6 1.3-2.4 1.4-3 0-1.1-2.9-2.6-5.6-4.2-7.2-.4-.4-.5-.8-.3-1.2z";

/** The title in the largest letters in which it has room, its lines as equal as they get. */
export function titleLines(title: string): { lines: string[]; size: number; lead: number } {
  const words = title.split(/\s+/).map((word) => ({ word, reach: advance(word) }));
  const space = advance(" ");
  for (const { size, lead, max } of sizes) {
    const lines = wrap(words, space, maxTitleWidth / size);
    const isWide = words.some(({ reach }) => reach * size > maxTitleWidth);
    if (isWide || lines.length > max) continue;
    let room = maxTitleWidth / size;
    while (wrap(words, space, room - 0.1).length === lines.length && room > 1) room -= 0.1;
    return { lines: wrap(words, space, room), size, lead };
  }
  throw new Error(`Too long for a card: ${title}`);
}

function wrap(words: { word: string; reach: number }[], space: number, room: number): string[] {
  const lines: string[] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const { word, reach } of words) {
    if (used + space + reach > room) {
      lines.push(word);
      used = reach;
    } else {
      lines.push(`${lines.pop()} ${word}`);
      used += space + reach;
    }
  }
  return lines;
}

/** Colours between two, without the ends. */
function steps(from: string, to: string, count: number): string[] {
  const channel = (hex: string, place: number) =>
    Number.parseInt(hex.slice(1 + place * 2, 3 + place * 2), 16);
  return Array.from({ length: count }, (_, step) => {
    const share = (step + 1) / (count + 1);
    const mixed = [0, 1, 2].map((place) =>
      Math.round(channel(from, place) * (1 - share) + channel(to, place) * share)
        .toString(16)
        .padStart(2, "0"),
    );
    return `#${mixed.join("")}`;
  });
}
