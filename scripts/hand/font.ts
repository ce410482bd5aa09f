import subsetFont from "subset-font";
import { type ContourPoint, outline } from "./outline.ts";
import { characters, glyph, spaceWidth } from "./strokes.ts";
import { type FontGlyph, trueType } from "./truetype.ts";

/** Number of font units for a unit of the strokes. */
const scale = 10;

const scaled = ({ x, y, isOnCurve }: ContourPoint): ContourPoint => ({
  x: Math.round(x * scale),
  y: Math.round(y * scale),
  isOnCurve,
});

/** Returns the handwriting of strokes.ts as a font. */
export function handFont(targetFormat: "woff2" | "sfnt"): Promise<Buffer> {
  const glyphs: FontGlyph[] = [" ", "\u00a0", ...characters].map((character) => {
    const isSpace = character.trim() === "";
    const { strokes, width } = isSpace ? { strokes: [], width: spaceWidth } : glyph(character);
    return {
      codePoint: character.codePointAt(0)!,
      width: Math.round(width * scale),
      contours: strokes.map((stroke) => outline(stroke).map(scaled)),
    };
  });
  glyphs.sort((a, b) => a.codePoint! - b.codePoint!);
  const metrics = {
    unitsPerEm: 90 * scale,
    ascent: 900,
    descent: 300,
    xHeight: 450,
    capHeight: 700,
  };
  const notdef = { width: spaceWidth * scale, contours: [] };
  return subsetFont(
    trueType(metrics, [notdef, ...glyphs]),
    characters.concat(" ", "\u00a0").join(""),
    {
      targetFormat,
      variationAxes: {},
    },
  );
}
