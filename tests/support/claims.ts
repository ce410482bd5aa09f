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
  /professional certification/i,
];
/** What the built-in brand says of how it works, and of itself. */
export const claimsOfService = [
  /within \d+(-| to )?\d* hours/,
  /weekends/,
  /half an hour/i,
  /(person on|one of) our team/,
  /checked (first, )?by a/,
  /Watch us mark/,
  /workspace/i,
  /Universities|universities and colleges/,
  /rubrica\b/,
  /Durban|KwaZulu-Natal/,
  /priceCurrency/,
  /mainly in South Africa|in South Africa\b.*educators|educators in South Africa/,
];
/** What the built-in brand says of itself in an article only. */
export const claimOfArticles = /We make marking software/i;
