/** Values of the placeholders in content: `{product}`, `{company}`, `{retentionDays}` … */
export type PlaceholderValues = Record<string, string> & { product: string; slug: string };

/**
 * A private-use character in place of each empty value, so that the passage around it can be left
 * out.
 */
export const emptyMarker = "\uE000";

/** A private-use character in place of each line whose condition is not met. */
export const skippedLine = "\uE001";

/** What is said in place of an empty value, in Markdown. */
const ofEmpty: Record<string, string> = {
  email: "[our contact page](/contact)",
  informationOfficer: "our information officer",
};

/** Fills placeholders in plain text; unknown names in braces are left alone. */
export function fillText(text: string, values: PlaceholderValues): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(values, name) ? values[name] || ofEmpty[name] || emptyMarker : whole,
  );
}

/** Fills placeholders in a slug, where `{product}` is the brand's slug, not its name. */
export const fillSlug = (text: string, values: PlaceholderValues): string =>
  fillText(text, { ...values, product: values.slug });

/**
 * Fills placeholders in Markdown. Values are escaped. In link targets `{product}` is the brand's
 * slug; elsewhere it is the name. A line that begins with `{?name}` is skipped if that value is empty,
 * one with `{!name}` if it is not.
 */
export function fillMarkdown(markdown: string, values: PlaceholderValues): string {
  const { email = "", slug } = values;
  const withLines = markdown.replace(
    /^( *(?:[-*>] |#+ |\d+\. )?)((?:\{[?!][\w-]+\})+)(.*)$/gm,
    (_, start: string, conditions: string, rest: string) =>
      isMet(conditions, values) ? start + rest : start + (start.trim() ? emptyMarker : skippedLine),
  );
  const withLinks = withLines.replace(/\]\(([^)\s]*)\)/g, (_, target: string) => {
    const filled = target.replaceAll("{product}", slug).replaceAll("{email}", () => email);
    return `](${filled})`;
  });
  const escaped = Object.fromEntries(
    Object.entries(values).map(([name, text]) => [
      name,
      // Unescaped, so that the email address becomes a link; a paragraph of Markdown.
      name === "email" || name === "nameMeaning" ? text : text.replace(/[\\`*_[\]<>]/g, "\\$&"),
    ]),
  );
  return fillText(withLinks, escaped as PlaceholderValues);
}

const isMet = (conditions: string, values: PlaceholderValues) =>
  [...conditions.matchAll(/([?!])([\w-]+)/g)].every(
    ([, sign, name]) => Boolean(values[name!]) === (sign === "?"),
  );
