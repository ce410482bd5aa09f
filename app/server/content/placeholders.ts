/** Values of the placeholders in content: `{product}`, `{company}`, `{retentionDays}` … */
export type PlaceholderValues = Record<string, string> & { product: string; slug: string };

/** A private-use character in place of each empty value, so that the passage around it can be left out. */
const emptyMarker = "\uE000";

/** Whether a filled text has a placeholder without a value, or a list item or quote whose condition is not met. */
export const hasEmptyValue = (filled: string): boolean => filled.includes(emptyMarker);

/** A private-use character in place of a line whose condition is not met; list items and quotes get `emptyMarker`. */
export const skippedLine = "\uE001";

/** The words in place of an empty value, by the name of its placeholder. */
const wordsForEmpty: Record<string, string> = {
  email: "our contact page",
  informationOfficer: "our information officer",
};

/**
 * Returns Markdown without the parts whose condition is not met. The condition begins a heading, and applies up to the
 * next heading of the same or a higher level. Lines that are left out stay as empty ones, so that errors name the right
 * line.
 */
export function withoutUnmetParts(markdown: string, values: PlaceholderValues): string {
  let skippedLevel = 0;
  return markdown
    .split("\n")
    .map((line) => {
      const heading = /^(#+) +((?:\{[?!][\w-]+\})*)(.*)$/.exec(line);
      if (!heading) return skippedLevel ? "" : line;
      const [, { length: level } = "", conditions, title] = heading;
      if (skippedLevel && level > skippedLevel) return "";
      skippedLevel = isMet(conditions!, values) ? 0 : level;
      return skippedLevel ? "" : `${"#".repeat(level)} ${title}`;
    })
    .join("\n");
}

/** Fills placeholders in plain text; leaves unknown names in braces. Turns "1 days" and "1 hours" into the singular. */
export function fillText(text: string, values: PlaceholderValues): string {
  return text
    .replace(/\{(\w+)\}/g, (whole, name) =>
      Object.hasOwn(values, name) ? values[name] || wordsForEmpty[name] || emptyMarker : whole,
    )
    .replace(/(?<![\d.,-])1 (day|hour)s\b/g, "1 $1");
}

/** Fills placeholders in a slug, where `{product}` is the brand's slug, not its name. */
export const fillSlug = (text: string, values: PlaceholderValues): string =>
  fillText(text, { ...values, product: values.slug });

/**
 * Fills placeholders in Markdown. Values are escaped. In link targets `{product}` is the brand's slug; elsewhere it is
 * the name. A line that begins with `{?name}` is skipped if that value is empty, and one with `{!name}` if the value is
 * not empty. A heading is skipped with all that is below it.
 * @returns the lines of the text, each filled in; one with a value such as a list has line breaks inside
 */
export function fillMarkdown(markdown: string, values: PlaceholderValues): string[] {
  const { email = "", slug } = values;
  const withLines = withoutUnmetParts(markdown, values).replace(
    /^( *(?:[-*>] |\d+\. )?)((?:\{[?!][\w-]+\})+)(.*)$/gm,
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
      // Unescaped: the email address becomes a link, and nameMeaning is a paragraph of Markdown.
      name === "email" || name === "nameMeaning" ? text : text.replace(/[\\`*_[\]<>]/g, "\\$&"),
    ]),
  );
  const filled = { ...values, ...escaped, email: email || `[${wordsForEmpty.email}](/contact)` };
  return withLinks.split("\n").map((line) => fillText(line, filled));
}

/**
 * Returns the sentences of a filled text, such as a title or a description, whose condition is met and which have no
 * empty value. A condition holds up to the end of its sentence or to the next condition.
 */
export const metSentences = (text: string, values: PlaceholderValues): string =>
  text
    .split(/(?<=[.?!]) +|(?<!\})(?=\{[?!])/)
    .map((part) => /^((?:\{[?!][\w-]+\})*)(.*)$/s.exec(part)!)
    .filter(([, conditions, rest]) => isMet(conditions!, values) && !hasEmptyValue(rest!))
    .map(([, , rest]) => rest!.trim())
    .join(" ");

const isMet = (conditions: string, values: PlaceholderValues) =>
  [...conditions.matchAll(/([?!])([\w-]+)/g)].every(
    ([, sign, name]) => Boolean(values[name!]) === (sign === "?"),
  );
