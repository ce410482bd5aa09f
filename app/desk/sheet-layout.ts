/** Where a cover sheet has its print: script-pdf.ts prints it there, and sheet-writing.ts tells writing from it. */

/** A4, in points. */
export const paper = { width: 595, height: 842, margin: 56 };
export const textSizes = { title: 20, heading: 13, body: 10.5 };
/** The distance between lines, as a multiple of the text size. */
export const lineSpacing = 1.4;

/** The side of a code, in points: 50 mm. */
export const codeSide = 142;
/** The upper left corners of the codes, in points from the upper left corner of the sheet. */
export const codePlaces = [
  { x: paper.margin, y: paper.margin },
  { x: paper.width - paper.margin - codeSide, y: paper.height - paper.margin - codeSide },
] as const;

/** Where the name begins, in points from the upper edge; the number is below the name. */
export const nameTop = paper.margin + codeSide + paper.margin / 2;

export const sheetLines = [
  "Absent",
  "Put this sheet on top of the learner’s pages, the same way up as they are.",
  "If the learner was absent, tick the box and leave the sheet in the stack.",
];
/** The base line of the first of `sheetLines`, in points from the upper edge. */
export const linesY = codePlaces[1].y - 80;
/** Points from each base line to the next. */
export const linesGap = 20;
/** The box to tick, in front of the first line; in points from the upper left corner. */
export const tickBox = { x: paper.margin + 1, y: linesY - 12, side: 18 };
