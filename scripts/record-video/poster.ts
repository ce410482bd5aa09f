/** The posters of the film: a marked script and a play sign, in the hand of the site, light and dark. */
import { glyph, type Point, type Stroke, spaceWidth, tangents } from "../hand/strokes.ts";
import { type Cut, filmSize } from "./cuts.ts";

/** Of the poster's parts, in pixels of film. */
interface Layout {
  sheet: { left: number; top: number; width: number; height: number };
  /** Of an em of the hand. */
  handSize: number;
  /** From one ruled line to the next. */
  lineHeight: number;
  /** Radius of the play sign. */
  signRadius: number;
  /** What is written on the ruled lines, from the top. The play sign lies over the empty ones. */
  lines: string[];
}

const layouts: Record<Cut["name"], Layout> = {
  landscape: {
    sheet: { left: 168, top: 66, width: 864, height: 866 },
    handSize: 72,
    lineHeight: 122,
    signRadius: 158,
    lines: ["The fire wants to go", "up and it makes the", "", "", "", "grass warm and dry."],
  },
  portrait: {
    sheet: { left: 36, top: 108, width: 440, height: 790 },
    handSize: 44,
    lineHeight: 84,
    signRadius: 112,
    lines: ["The fire wants", "to go up and it", "makes the grass", "", "", "", "warm and dry."],
  },
};

const style = `svg{--ground:#f5efe3;--sheet:#fff;--ink:#1b1d2a;--pencil:#6b6870;--rule:#e0d8c8;--edge:#8b8577;--red:#b3261e}
@media(prefers-color-scheme:dark){svg{--ground:#191714;--sheet:#231f1b;--ink:#f1ede4;--pencil:#a9a5a2;--rule:#423b32;--edge:#8a8173;--red:#c8392f}}
path{fill:none;stroke-linecap:round;stroke-linejoin:round}
.ground{fill:var(--ground)}.sheet{fill:var(--sheet);stroke:var(--edge);stroke-width:2}.rule{stroke:var(--rule);stroke-width:2}
.ink{stroke:var(--ink)}.pencil{stroke:var(--pencil)}.red{stroke:var(--red)}.margin{stroke:var(--red);stroke-width:2;opacity:.5}
.disc{fill:var(--sheet);stroke:none}.ring{stroke:var(--red);stroke-width:11}.sign{fill:var(--red);stroke:var(--red);stroke-width:14}`;

/** Returns a cut's poster as SVG. */
export function poster(cut: Cut): string {
  const { width, height } = filmSize(cut);
  const { sheet, handSize, lineHeight, signRadius, lines } = layouts[cut.name];
  const { left, top } = sheet;
  const [right, bottom] = [left + sheet.width, top + sheet.height];
  const [leftMargin, rightMargin] = [left + handSize, right - 2.2 * handSize];
  const baseline = (line: number) => top + lineHeight * (line + 1);
  const ruled = [...Array(Math.floor(sheet.height / lineHeight)).keys()];
  const last = baseline(lines.length - 1) - 14;
  const [mark, decision] = [rightMargin + 0.3 * handSize, rightMargin + 1.2 * handSize];
  const paper = (x: number, y: number) =>
    `<path class="sheet" d="M${x} ${y}h${sheet.width}v${sheet.height}h-${sheet.width}z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>${style}</style>
<path class="ground" d="M0 0h${width}v${height}H0z"/>
<g stroke-width="${handSize / 15}" transform="rotate(-1.5 ${width / 2} ${height / 2})">
${paper(left + 26, top + 20)}${paper(left, top)}
<path class="rule" d="${ruled.map((line) => `M${left} ${baseline(line)}h${sheet.width}`).join("")}"/>
<path class="margin" d="M${leftMargin} ${top}V${bottom}M${rightMargin} ${top}V${bottom}"/>
${lines.map((text, line) => written({ hand: "ink", text, size: handSize, left: leftMargin + 0.35 * handSize, baseline: baseline(line) - 14 })).join("")}
${written({ hand: "pencil", text: "2", size: handSize, left: mark, baseline: last })}
<path class="red" d="M${mark - 12} ${last - 6}q26-10 ${0.75 * handSize}-${0.6 * handSize}"/>
${written({ hand: "red", text: "3", size: handSize, left: decision, baseline: last })}
</g>
${playSign(width / 2, height / 2, signRadius)}
</svg>
`;
}

/** In the middle, where some players show a sign of their own. */
const playSign = (
  x: number,
  y: number,
  radius: number,
) => `<g transform="translate(${x} ${y}) scale(${radius / 170})">
<path class="disc" d="M0-170a170 170 0 1 0 .1 0z"/>
<path class="ring" d="M-40-158c-108 20-154 126-115 220s162 130 250 60 83-207-20-261-176-20-200 30"/>
<path class="sign" d="M-42-76l134 78-134 78z"/>
</g>`;

interface Writing {
  hand: string;
  text: string;
  /** Of an em, in pixels. */
  size: number;
  left: number;
  baseline: number;
}

/** A line of handwriting, from its left end on its baseline. */
function written({ hand, text, size, left, baseline }: Writing): string {
  let x = left;
  const paths: string[] = [];
  for (const character of text) {
    if (character !== " ") {
      const { strokes, width } = glyph(character);
      paths.push(...strokes.map((stroke) => curve(stroke, size, x, baseline)));
      x += (width * size) / 100;
    } else x += (spaceWidth * size) / 100;
  }
  return `<path class="${hand}" d="${paths.join("")}"/>`;
}

/** A cubic curve through the points of a stroke. */
function curve(stroke: Stroke, size: number, left: number, baseline: number): string {
  const place = ([x, y]: Point): Point => [
    Math.round(left + (x * size) / 100),
    Math.round(baseline - (y * size) / 100),
  ];
  const directions = tangents(stroke);
  const towards = ([x, y]: Point, [dx, dy]: Point, part: number) =>
    place([x + dx * part, y + dy * part]);
  const segments = stroke.slice(1).map((to, i) => {
    const from = place(stroke[i]!);
    const points = [
      towards(stroke[i]!, directions[i]!, 1 / 3),
      towards(to, directions[i + 1]!, -1 / 3),
      place(to),
    ];
    return `c${points.flatMap(([x, y]) => [x - from[0], y - from[1]]).join(" ")}`;
  });
  return `M${place(stroke[0]!).join(" ")}${segments.join("")}`;
}
