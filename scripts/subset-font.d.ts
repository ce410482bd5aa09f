declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: {
      targetFormat: "woff2" | "sfnt";
      variationAxes: Record<string, number | { min: number; max: number }>;
      keepAllGlyphs?: true;
    },
  ): Promise<Buffer>;
}
