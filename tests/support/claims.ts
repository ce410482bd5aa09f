/** What the built-in brand claims, wherever it is said. */
export const claims = [
  /99[.,]2\s?%/,
  /95(–|-| to )98\s?%/,
  /up to 90\s?%/i,
  /80\s?% less/,
  /(80\+|80 or more|eighty) hours/i,
  /\ball eleven\b/i,
  /ISO 27001/,
  /Moodle, Canvas (and|or) (D2L )?Brightspace/,
];
/** Further claims, which articles may mention without making them. */
export const claimsOfPages = [
  /eleven (written )?official languages/,
  /Moodle|Canvas|Brightspace/,
  /there within minutes|Results within minutes/,
  /24\/7/,
  /unlimited/,
  /data is encrypted/,
  /over by tea/,
  /Academic head/,
  /linkedin|facebook|youtube/i,
  /\.example/,
  /CAPS, IEB/,
  /no price list/,
];
