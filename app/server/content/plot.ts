import * as z from "zod/mini";
import { escapeXml } from "../../domain/xml.ts";
import type { FileError } from "./content-error.ts";
import { readYaml, text } from "./yaml.ts";

/** Max steps with a tick, so that labels do not cover each other. */
const maxSteps = 20;

/** Height of the drawing in pixels. Widths are percentages, so that text keeps its size. */
const height = 240;

const number = z.number("must be a number");
const point = z.tuple([number, number], "must be two numbers, such as [4, 5]");
const axis = z
  .strictObject({
    label: text,
    from: number,
    to: number,
    step: number.check(z.positive("must be more than 0")),
  })
  .check(
    z.refine(({ from, to }) => from < to, { error: "from must be less than to" }),
    z.refine((axis) => stepsOf(axis) <= maxSteps, {
      path: ["step"],
      error: `makes more than ${maxSteps} steps: it must be larger`,
    }),
  );

const plotSchema = z
  .strictObject({
    caption: text,
    x: axis,
    y: axis,
    points: z.array(point).check(z.minLength(1, "must not be empty")),
    /** Whether a line joins the points in their order. */
    joined: z.optional(z.boolean("must be true or false")),
    /** The label of a line from corner to corner, on which both values are equal. */
    diagonal: z.optional(text),
    /** A horizontal line to compare the points with. */
    level: z.optional(z.strictObject({ at: number, label: text })),
    /** A point that is ringed in red. */
    ring: z.optional(z.strictObject({ at: point, label: text })),
  })
  .check(
    z.refine(({ x, y, diagonal }) => !diagonal || (x.from === y.from && x.to === y.to), {
      path: ["diagonal"],
      error: "needs axes with the same from and to",
    }),
  );

type Plot = z.infer<typeof plotSchema>;
type Point = [number, number];
type Scale = (value: number) => number;
/** Where a label lies beside its point: its alignment, and its distance in pixels. */
type Beside = { anchor: "start" | "middle" | "end"; dx: number; dy: number };

/**
 * Renders the YAML of a `plot` block as a drawing and a table of its points.
 * @returns errors with their line in the block
 */
export function renderPlot(yaml: string): { html: string } | { errors: FileError[] } {
  const result = readYaml(yaml, plotSchema, { file: "", fill: (value) => value });
  if ("errors" in result) return result;
  const plot = result.value;
  const drawing = `<svg width="100%" height="${height}" aria-hidden="true">${drawingOf(plot)}</svg>`;
  return {
    html: `<figure class="plot sheet flush"><p class="y-label">${escapeXml(plot.y.label)}</p>${drawing}<p class="x-label">${escapeXml(plot.x.label)}</p>${tableOf(plot)}<figcaption>${escapeXml(plot.caption)}</figcaption></figure>\n`,
  };
}

function drawingOf(plot: Plot): string {
  const { x, y, points, joined, diagonal, level, ring } = plot;
  const left: Scale = (value) => toHundredths(((value - x.from) / (x.to - x.from)) * 100);
  const top: Scale = (value) =>
    toHundredths(height - ((value - y.from) / (y.to - y.from)) * height);
  const line = (name: string, [x1, y1]: Point, [x2, y2]: Point) =>
    `<line class="${name}" x1="${left(x1)}%" y1="${top(y1)}" x2="${left(x2)}%" y2="${top(y2)}"/>`;
  const circle = ([x, y]: Point, radius: number, name?: string) =>
    `<circle${name ? ` class="${name}"` : ""} cx="${left(x)}%" cy="${top(y)}" r="${radius}"/>`;
  const label = (name: string, [x, y]: Point, shown: string, { anchor, dx, dy }: Beside) =>
    `<text class="${name}" x="${left(x)}%" y="${top(y)}" dx="${dx}" dy="${dy}" text-anchor="${anchor}">${escapeXml(shown)}</text>`;
  const besideRing = ([x, y]: Point): Beside => {
    const [isRight, isLow] = [left(x) > 60, top(y) > height - 40];
    return { anchor: isRight ? "end" : "start", dx: isRight ? -12 : 12, dy: isLow ? -16 : 28 };
  };
  const parts = [
    ticksOf(y).flatMap((at) => [
      line("grid", [x.from, at], [x.to, at]),
      label("at", [x.from, at], `${at}`, { anchor: "end", dx: -8, dy: 4 }),
    ]),
    ticksOf(x).map((at) => label("at", [at, y.from], `${at}`, { anchor: "middle", dx: 0, dy: 20 })),
    diagonal && [
      line("compare", [x.from, y.from], [x.to, y.to]),
      label("note", [x.to, y.to], diagonal, { anchor: "end", dx: -14, dy: 6 }),
    ],
    level && [
      line("compare", [x.from, level.at], [x.to, level.at]),
      label("note", [x.from, level.at], level.label, { anchor: "start", dx: 6, dy: 17 }),
    ],
    joined && points.slice(1).map((at, index) => line("joined", points[index]!, at)),
    groupEqual(points).map(({ at, count }) => circle(at, toHundredths(4.5 * Math.sqrt(count)))),
    ring && [circle(ring.at, 13, "ring"), label("red", ring.at, ring.label, besideRing(ring.at))],
  ];
  return parts.flatMap((part) => part || []).join("");
}

function tableOf({ x, y, points }: Plot): string {
  const rows = groupEqual(points);
  const hasCounts = rows.length < points.length;
  const head = [x.label, y.label, ...(hasCounts ? ["How many"] : [])]
    .map((name) => `<th scope="col">${escapeXml(name)}</th>`)
    .join("");
  const body = rows
    .map(({ at, count }) => {
      const cells = [...at, ...(hasCounts ? [count] : [])];
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
    })
    .join("");
  return `<details><summary>The figures as a table</summary><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></details>`;
}

/** Returns the different points, each with the number of its occurrences. */
function groupEqual(points: Plot["points"]): { at: Point; count: number }[] {
  const groups = Map.groupBy(points, (at) => at.join());
  return [...groups.values()].map((same) => ({ at: same[0]!, count: same.length }));
}

type Axis = { from: number; to: number; step: number };

// Rounding errors make 0.3 / 0.1 less than 3.
const stepsOf = ({ from, to, step }: Axis) => Math.floor((to - from) / step + 1e-9);

/** Returns the values from `from` to `to` at each step, without the rounding errors of their sums. */
function ticksOf(axis: Axis): number[] {
  const { from, step } = axis;
  const length = stepsOf(axis) + 1;
  return Array.from({ length }, (_, index) => Number((from + index * step).toFixed(10)));
}

const toHundredths = (value: number) => Math.round(value * 100) / 100;
