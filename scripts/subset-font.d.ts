declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    letters: string | undefined,
    options: {
      targetFormat: "woff2" | "sfnt";
      variationAxes: Record<string, number | { min: number; max: number }>;
      keepAllGlyphs?: true;
    },
  ): Promise<Buffer>;
}
