/**
 * A single-stroke hand: the path of the pen for each character, in units of 1/90 em, with y from the baseline up.
 * Each stroke is a list of points that a smooth curve passes through; `*` marks a corner, ` / ` lifts the pen.
 */
const strokesOf: Record<string, string> = {
  a: "30,37 23,45 13,43 4,33 1,17 5,4 14,2 24,14 31,43* 30,16 33,4 40,5",
  b: "4,75 3,40 2,3* 4,29 12,42 23,44 32,34 31,15 22,3 11,1 3,8",
  c: "31,37 24,45 14,44 4,33 1,17 7,4 18,1 32,9",
  d: "30,36 23,45 13,43 4,33 1,17 6,3 15,1 25,13 31,34 34,75* 31,40 30,12 34,3 41,5",
  e: "3,21 15,23 28,29 29,39 21,46 11,43 2,31 1,14 8,2 19,1 32,10",
  f: "28,68 24,75 17,74 12,62 10,34 8,-1 / 1,41 11,42 22,44",
  g: "30,37 23,45 13,43 4,33 1,18 6,6 15,5 25,16 31,43* 31,12 28,-13 18,-22 7,-19 0,-11",
  h: "4,75 3,40 2,1* 5,25 14,41 23,44 29,36 29,16 32,2",
  i: "4,45 3,20 4,5 10,3 / 6,62 6.6,60.6",
  j: "12,45 12,10 9,-14 1,-22 -8,-17 / 14,62 14.6,60.6",
  k: "4,75 3,40 2,1 / 28,44 16,31 4,21* 17,14 31,2",
  l: "4,75 3,34 4,8 8,2 15,5",
  m: "2,45 3,20 2,1* 4,25 11,40 18,44 23,36 24,16 23,2* 26,25 33,40 40,44 45,36 45,14 48,2",
  n: "2,45 3,20 2,1* 5,24 14,41 23,44 29,36 29,16 32,2",
  o: "19,45 8,42 1,28 3,9 13,1 25,5 32,20 29,37 19,45 13,44",
  p: "3,45 3,10 1,-23* 3,20 9,36 19,45 29,40 32,24 26,8 15,1 4,8",
  q: "30,37 23,45 13,43 4,33 1,18 6,6 15,5 25,16 31,43* 31,10 30,-23* 34,-19 39,-14",
  r: "2,45 3,20 2,1* 5,24 12,39 19,44 26,41",
  s: "26,39 19,46 9,44 5,35 12,27 22,19 25,9 17,1 7,1 0,8",
  t: "12,66 10,35 10,10 15,2 25,6 / 0,44 12,45 26,47",
  u: "2,45 1,20 5,5 14,2 24,12 31,44* 30,16 33,4 39,5",
  v: "1,45 7,22 14,1* 22,24 28,46",
  w: "1,45 5,22 11,2* 18,20 23,37* 28,18 33,2* 41,23 45,46",
  x: "2,45 14,25 29,1 / 29,46 15,23 0,1",
  y: "2,45 3,24 11,14 21,20 30,45* 27,12 22,-11 12,-22 1,-17",
  z: "3,44 16,43 29,45* 15,23 1,2* 14,2 31,4",
  A: "0,0 12,36 24,70* 33,36 43,0 / 7,23 24,25 39,25",
  B: "5,69 4,36 3,0 / 1,66 17,71 31,65 30,47 18,38 5,37* 23,36 36,28 35,11 21,2 2,1",
  C: "42,58 33,69 20,68 7,54 1,33 6,11 19,1 33,3 43,13",
  D: "6,69 5,36 4,1 / 1,67 21,69 38,56 44,35 37,12 21,1 1,1",
  E: "34,69 18,68 4,68* 4,36 3,1* 18,0 36,3 / 4,37 16,37 29,39",
  F: "34,69 18,68 4,68* 4,36 2,0 / 4,37 16,37 29,39",
  G: "41,58 32,69 19,67 6,54 1,33 6,11 19,1 32,4 40,14 42,31* 33,32 24,31",
  H: "4,70 3,36 2,0 / 39,71 38,36 38,0 / 3,36 20,37 38,38",
  I: "1,69 9,69 19,70 / 10,69 10,36 9,1 / 0,1 9,1 19,2",
  J: "27,70 27,30 24,8 15,0 6,3 0,13",
  K: "4,70 3,36 2,0 / 37,70 20,49 4,33* 21,18 40,1",
  L: "5,70 4,36 3,1* 18,1 34,4",
  M: "0,0 5,36 10,70* 18,45 27,22* 37,45 47,70* 50,36 55,0",
  N: "2,0 4,36 5,70* 20,38 37,1* 39,36 41,71",
  O: "25,70 11,63 2,43 4,16 18,1 34,5 45,24 44,50 33,66 21,70 14,68",
  P: "5,69 4,36 3,0 / 1,66 18,71 34,64 36,51 28,38 15,33 4,34",
  Q: "25,70 11,63 2,43 4,16 18,1 34,5 45,24 44,50 33,66 21,70 14,68 / 28,18 36,7 48,-5",
  R: "5,69 4,36 3,0 / 1,66 18,71 33,65 35,52 27,40 5,35* 21,18 40,1",
  S: "36,59 27,69 14,69 5,60 7,47 19,38 32,29 36,17 27,3 13,1 1,10",
  T: "0,68 22,69 46,71 / 23,69 22,36 21,0",
  U: "4,70 3,36 6,12 17,1 30,5 38,22 41,71",
  V: "1,70 11,36 21,0* 32,36 42,71",
  W: "1,70 8,34 15,1* 23,28 30,55* 37,28 45,1* 54,36 61,71",
  X: "3,70 20,36 40,0 / 40,71 21,36 0,0",
  Y: "1,70 9,52 20,37 / 41,71 29,50 20,36* 20,18 19,0",
  Z: "3,68 20,68 38,70* 20,36 1,2* 20,2 42,4",
  0: "19,66 8,58 2,34 6,10 17,1 28,8 34,32 29,56 19,66 13,64",
  1: "2,52 9,58 17,67* 16,34 15,0",
  2: "3,51 8,63 19,66 29,58 29,44 19,25 2,2* 18,2 36,5",
  3: "4,57 14,66 26,63 29,51 22,40 12,36* 26,34 33,22 27,6 14,0 1,8",
  4: "23,67 13,43 2,22* 20,21 39,23 / 29,42 28,20 27,-2",
  5: "33,66 19,66 8,65* 7,52 5,38* 17,43 28,38 33,23 27,7 13,0 1,8",
  6: "27,65 14,54 4,34 2,16 9,2 21,1 31,12 29,27 19,34 7,27 2,18",
  7: "2,64 17,65 35,67* 22,38 12,0",
  8: "28,57 20,66 10,63 7,52 15,41 26,32 31,18 25,4 13,1 4,8 5,21 15,34 25,45 28,57",
  9: "30,51 22,39 11,36 3,46 6,60 17,66 27,61 30,48 29,26 26,0",
  ".": "2,3 2.8,1.6",
  ",": "4,4 4,-4 0,-12",
  ":": "3,36 3.8,34.6 / 2,3 2.8,1.6",
  ";": "4,36 4.8,34.6 / 4,4 4,-4 0,-12",
  "!": "6,70 5,44 4,22 / 3,3 3.8,1.6",
  "?": "1,54 7,66 18,69 27,60 24,47 14,37 12,22 / 11,3 11.8,1.6",
  "’": "6,72 6,64 2,57",
  "‘": "6,73 2,66 3,58",
  "“": "6,73 2,66 3,58 / 17,73 13,66 14,58",
  "”": "6,72 6,64 2,57 / 17,72 17,64 13,57",
  "(": "15,76 5,58 2,30 6,4 15,-13",
  ")": "2,76 11,59 14,30 11,4 2,-13",
  "-": "1,26 10,27 19,28",
  "–": "1,26 18,27 35,28",
  "/": "0,-8 14,34 28,75",
  "+": "17,44 16,27 16,8 / 0,25 16,26 34,27",
  "=": "1,36 17,36 33,38 / 1,19 17,19 33,21",
  "×": "3,40 15,27 29,11 / 29,41 15,26 2,10",
  "%": "14,68 5,62 3,50 10,41 19,47 20,60 14,68 / 45,68 25,34 6,0 / 40,27 31,21 30,8 38,0 46,6 47,20 40,27",
  "&": "42,3 28,20 11,46 10,62 19,69 27,60 20,44 5,26 3,9 14,0 28,8 40,30",
  "½": "1,62 6,66 11,72* 11,55 10,38 / 40,72 22,34 4,-4 / 29,24 34,31 42,31 44,23 38,12 28,1* 36,1 47,2",
  "·": "3,28 3.8,26.6",
  "°": "11,70 4,65 3,56 9,51 17,55 18,65 11,70",
  "✓": "1,25 7,17 13,3* 24,36 45,72",
};

/** Accents above a small letter, for the languages of South Africa. */
const accents: Record<string, string> = {
  "\u0301": "13,54 23,68",
  "\u0300": "12,68 20,54",
  "\u0302": "7,54 16,66* 26,54",
  "\u0308": "9,61 9.8,59.6 / 23,62 23.8,60.6",
  "\u030c": "7,66 16,55* 27,67",
};

/** The x around which the accents are drawn. */
const accentMiddle = 17;

/** Every character that the hand can write, besides the space. */
export const characters: string[] = [...Object.keys(strokesOf), ..."áéèêëïîôóöûúüš"];

export type Point = [x: number, y: number];

/** A curve through points, without a corner. */
export type Stroke = Point[];

export const spaceWidth = 25;
const bearing = 5;
const lean = 0.09;
const stretch = 1.09;
/** How far the tail of a character reaches below the one before it. */
const tails: Record<string, number> = { j: 10, y: 2 };
/** Space on both sides of a character, because 21.25 must not be read as 2125, nor 11 as two strokes. */
const apart: Record<string, number> = { ".": 9, ":": 9, 1: 3 };

/** Returns the strokes of a character, leaning to the right, and its width. */
export function glyph(character: string): { strokes: Stroke[]; width: number } {
  const [base, accent] = [...character.normalize("NFD")] as [string, string?];
  const source = strokesOf[base];
  if (!source) throw new Error(`The hand has no strokes for ${character}.`);
  // An accent takes the place of the dot.
  const body = strokesIn(accent && base === "i" ? source.split(" / ")[0]! : source);
  const xs = body.flat().map(([x]) => x);
  const beside = apart[base] ?? 0;
  const left = Math.min(...xs) + (tails[base] ?? 0) - beside;
  const right = Math.max(...xs) + beside;
  const aside = (left + right) / 2 - accentMiddle;
  const above = (accent ? strokesIn(accents[accent]!) : []).map((stroke) =>
    stroke.map(([x, y]): Point => [x + aside, y]),
  );
  const place = ([x, y]: Point): Point => [(x - left) * stretch + bearing + y * lean, y];
  return {
    strokes: [...body, ...above].map((stroke) => stroke.map(place)),
    width: (right - left) * stretch + 2 * bearing,
  };
}

/** Splits the source of a character where the pen is lifted, and at corners: there two curves share a point. */
function strokesIn(source: string): Stroke[] {
  return source.split(" / ").flatMap((line) => {
    const strokes: Stroke[] = [[]];
    for (const written of line.split(" ")) {
      const point = written.replace("*", "").split(",").map(Number) as Point;
      strokes.at(-1)!.push(point);
      if (written.endsWith("*")) strokes.push([point]);
    }
    return strokes;
  });
}

/** Returns the tangents of a curve through points (Catmull-Rom): half the way from the previous point to the next. */
export function tangents(stroke: Stroke): Point[] {
  return stroke.map((_, i): Point => {
    const [before, after] = [
      stroke[Math.max(i - 1, 0)]!,
      stroke[Math.min(i + 1, stroke.length - 1)]!,
    ];
    return [(after[0] - before[0]) / 2, (after[1] - before[1]) / 2];
  });
}
