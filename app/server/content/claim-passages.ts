/**
 * How built-in articles quote what the built-in brand claims. Under another brand these sentences would be claims
 * of its own.
 */
const quotations =
  /“?(99[.,]2\s?%|95(–|-| to )98\s?%|up to 90\s?%|\b80\s?% less|\b(80\+|80 or more|eighty) hours|\ball eleven\b|ISO 27001|Moodle, Canvas (and|or) (D2L )?Brightspace)”?/gi;

/**
 * Returns an article without the lines and the sections that quote a claim. The other lines keep their numbers. In
 * the front matter, which needs its values, other words replace the quotation.
 */
export function withoutClaims(article: string): string {
  const end = article.indexOf("\n---\n") + 5;
  let leftOut = 0;
  const body = article
    .slice(end)
    .split("\n")
    .map((line) => {
      const depth = /^#+ /.exec(line)?.[0].length ?? 0;
      const isQuoting = line.search(quotations) !== -1;
      if (depth > 0 && (leftOut === 0 || depth <= leftOut)) leftOut = isQuoting ? depth : 0;
      return leftOut > 0 || isQuoting ? "" : line;
    });
  const front = article.slice(0, end).replace(quotations, "a supplier’s figure");
  return front + body.join("\n");
}
