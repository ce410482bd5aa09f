import { type Point, type Stroke, tangents } from "./strokes.ts";

/** A point of a TrueType contour. */
export interface ContourPoint {
  x: number;
  y: number;
  isOnCurve: boolean;
}

/** Half the width of the pen, in the units of the strokes. */
const halfPen = 3.6;
/** Factor of the pen's width at the ends of a stroke, where a pen is lighter. */
const atEnds = 0.85;
/** Factor of the pen's width in a dot, for which a pen is pressed. */
const inDots = 1.4;

/** Returns the outline of a stroke drawn with a round pen, clockwise, in the same units. */
export function outline(stroke: Stroke): ContourPoint[] {
  const samples = sample(stroke);
  const there = side(samples, 1);
  const back = side(samples.toReversed(), -1);
  return [...there, ...cap(samples.at(-1)!, 1), ...back, ...cap(samples[0]!, -1)];
}

interface Sample {
  at: Point;
  /** Unit vector along the stroke. */
  along: Point;
  /** Half the width of the pen here. */
  half: number;
}

/** Samples the curve at its points and, if there are more than two, halfway between them. */
function sample(stroke: Stroke): Sample[] {
  const directions = tangents(stroke);
  const samples: Sample[] = [];
  for (let i = 0; i < stroke.length; i++) {
    samples.push({ at: stroke[i]!, along: unit(directions[i]!), half: halfPen });
    if (i + 1 < stroke.length && stroke.length > 2) samples.push(halfway(stroke, directions, i));
  }
  const isDot = stroke.length === 2 && Math.abs(stroke[0]![0] - stroke[1]![0]) < 1;
  for (const end of [samples[0]!, samples.at(-1)!]) end.half *= isDot ? inDots : atEnds;
  return samples;
}

/** The middle of the cubic curve between two points. */
function halfway(stroke: Stroke, directions: Point[], i: number): Sample {
  const [a, b] = [stroke[i]!, stroke[i + 1]!];
  const [m, n] = [directions[i]!, directions[i + 1]!];
  const middle = (axis: 0 | 1) => (a[axis] + b[axis]) / 2 + (m[axis] - n[axis]) / 8;
  const slope = (axis: 0 | 1) => 1.5 * (b[axis] - a[axis]) - (m[axis] + n[axis]) / 4;
  return { at: [middle(0), middle(1)], along: unit([slope(0), slope(1)]), half: halfPen };
}

/** One side of the stroke: a quadratic curve from each sample to the next. */
function side(samples: Sample[], turn: 1 | -1): ContourPoint[] {
  const points: ContourPoint[] = [];
  samples.forEach((current, i) => {
    const start = offset(current, turn);
    points.push({ x: start[0], y: start[1], isOnCurve: true });
    const next = samples[i + 1];
    if (!next) return;
    const control = crossing(start, current.along, offset(next, turn), next.along);
    if (control) points.push({ x: control[0], y: control[1], isOnCurve: false });
  });
  return points;
}

const offset = ({ at, along, half }: Sample, turn: 1 | -1): Point => [
  at[0] - along[1] * half * turn,
  at[1] + along[0] * half * turn,
];

/** Half a circle around the end of a stroke. */
function cap({ at, along, half }: Sample, turn: 1 | -1): ContourPoint[] {
  const point = (forward: number, aside: number, isOnCurve: boolean) => ({
    x: at[0] + half * turn * (along[0] * forward - along[1] * aside),
    y: at[1] + half * turn * (along[1] * forward + along[0] * aside),
    isOnCurve,
  });
  return [point(1, 1, false), point(1, 0, true), point(1, -1, false)];
}

/** Where two lines cross between their starting points; undefined if the side is so straight that they do not. */
function crossing(p: Point, along: Point, q: Point, other: Point): Point | undefined {
  const sine = along[0] * other[1] - along[1] * other[0];
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  if (Math.abs(sine) < 0.06) return undefined;
  const distance = (dx * other[1] - dy * other[0]) / sine;
  const rest = (dx * along[1] - dy * along[0]) / sine;
  const isBetween = distance > 0 && rest < 0;
  return isBetween ? [p[0] + along[0] * distance, p[1] + along[1] * distance] : undefined;
}

function unit([x, y]: Point): Point {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}
