/** The video's poster: a marked script and a play sign, in the hand of the site, light and dark. */
import { glyph, type Point, type Stroke, spaceWidth, tangents } from "../../app/ui/hand/strokes.ts";

/** Its lower part is the band in which captions are shown below the video. */
export const posterSize = { width: 1280, height: 1100 };

const style = `svg{--ground:#f5efe3;--sheet:#fff;--ink:#1b1d2a;--pencil:#6b6870;--rule:#e0d8c8;--edge:#8b8577;--red:#b3261e}
@media(prefers-color-scheme:dark){svg{--ground:#191714;--sheet:#231f1b;--ink:#f1ede4;--pencil:#a9a5a2;--rule:#423b32;--edge:#8a8173;--red:#c8392f}}
path{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:5}
.ground{fill:var(--ground)}.sheet{fill:var(--sheet);stroke:var(--edge);stroke-width:2}.rule{stroke:var(--rule);stroke-width:2}
.ink{stroke:var(--ink)}.pencil{stroke:var(--pencil)}.red{stroke:var(--red);stroke-width:6}.margin{stroke:var(--red);stroke-width:2;opacity:.5}
.disc{fill:var(--sheet);stroke:none;opacity:.96}.ring{stroke:var(--red);stroke-width:11}.sign{fill:var(--red);stroke:var(--red);stroke-width:14}`;

/** Returns the poster as SVG. */
export function poster(): string {
  const { width, height } = posterSize;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>${style}</style>
<path class="ground" d="M0 0h1280v1100H0z"/>
<g transform="rotate(-1.5 640 550)">
<path class="sheet" d="M196 84h920v932H196z"/><path class="sheet" d="M164 64h920v932H164z"/>
<path class="rule" d="M164 200h920M164 330h920M164 460h920M164 590h920M164 720h920M164 850h920"/>
<path class="margin" d="M262 64v932M950 64v932"/>
${written("ink", "The fire wants to go", 290, 186)}
${written("ink", "up and it makes the", 290, 316)}
${written("ink", "grass up there warm", 290, 446)}
${written("ink", "and so dry that, even", 290, 576)}
${written("ink", "before the fire comes,", 290, 706)}
${written("ink", "it can start to burn.", 290, 836)}
${written("pencil", "2", 972, 836)}
<path class="red" d="M958 842q28-12 56-46"/>
${written("red", "3", 1030, 836)}
</g>
<path class="disc" d="M640 330a190 190 0 1 0 .1 0z"/>
<path class="ring" d="M596 346c-120 22-172 140-128 244s180 140 278 66 92-230-22-290-196-22-222 34"/>
<path class="sign" d="M590 432l150 88-150 88z"/>
</svg>
`;
}

/** Size of an em, in pixels. */
const size = 76;

/** A line of handwriting, from its left end on its baseline. */
function written(hand: string, text: string, left: number, baseline: number): string {
  let x = left;
  const paths: string[] = [];
  for (const character of text) {
    if (character !== " ") {
      const { strokes, width } = glyph(character);
      paths.push(...strokes.map((stroke) => curve(stroke, x, baseline)));
      x += (width * size) / 100;
    } else x += (spaceWidth * size) / 100;
  }
  return `<path class="${hand}" d="${paths.join("")}"/>`;
}

/** A cubic curve through the points of a stroke. */
function curve(stroke: Stroke, left: number, baseline: number): string {
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
