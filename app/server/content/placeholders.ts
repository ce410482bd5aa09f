/** Values of the placeholders in content: `{product}`, `{company}`, `{retentionDays}` … */
export type PlaceholderValues = Record<string, string> & { product: string; slug: string };

/** A private-use character in place of each empty value, so that the passage around it can be left out. */
const emptyMarker = "\uE000";

/** Whether a filled text has a placeholder without a value, or a list item or quote whose condition is not met. */
export const hasEmptyValue = (filled: string): boolean => filled.includes(emptyMarker);

/** A private-use character in place of a line whose condition is not met; list items and quotes get `emptyMarker`. */
export const skippedLine = "\uE001";

const conditionalHeading = /^(#+) +((?:\{[?!][\w-]+\})*)(.*)$/;
/** A line with conditions; captures the sign of a list item or quote, the conditions and the text. */
const conditionalLine = /^( *(?:[-*>] |\d+\. )?)((?:\{[?!][\w-]+\})+)(.*)$/gm;
const conditionalSentence = /^((?:\{[?!][\w-]+\})*)(.*)$/s;

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
      const heading = conditionalHeading.exec(line);
      if (!heading) return skippedLevel ? "" : line;
      const [, { length: level } = "", conditions, title] = heading;
      if (skippedLevel && level > skippedLevel) return "";
      skippedLevel = isMet(conditions!, values) ? 0 : level;
      return skippedLevel ? "" : `${"#".repeat(level)} ${title}`;
    })
    .join("\n");
}

/** Fills placeholders in plain text; leaves unknown names in braces. Writes "1 days" and "1 hours" in the singular. */
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
 * Fills placeholders in Markdown. A line that begins with `{?name}` is skipped if that value is empty, and one with
 * `{!name}` if the value is not empty. A heading is skipped with all that is below it.
 * @returns the filled lines of the text; a value such as a list adds line breaks inside its line
 */
export function fillMarkdown(markdown: string, values: PlaceholderValues): string[] {
  const lines = markUnmetLines(withoutUnmetParts(markdown, values), values);
  const inMarkdown = markdownValues(values);
  return fillTargets(lines, values)
    .split("\n")
    .map((line) => fillText(line, inMarkdown));
}

/** Puts `skippedLine` or `emptyMarker` in place of each line whose condition is not met. */
const markUnmetLines = (markdown: string, values: PlaceholderValues) =>
  markdown.replace(conditionalLine, (_, start: string, conditions: string, rest: string) => {
    if (isMet(conditions, values)) return start + rest;
    return start + (start.trim() === "" ? skippedLine : emptyMarker);
  });

/** Fills placeholders in the targets of links, where `{product}` is the brand's slug, not its name. */
const fillTargets = (markdown: string, { slug, email = "" }: PlaceholderValues) =>
  markdown.replace(/\]\([^)\s]*\)/g, (target) =>
    target.replaceAll("{product}", slug).replaceAll("{email}", () => email),
  );

/** The values that are Markdown as they are: the address, which becomes a link, and a paragraph of brand.yaml. */
const markdownNames = new Set(["email", "nameMeaning"]);

function markdownValues(values: PlaceholderValues): PlaceholderValues {
  const entries = Object.entries(values).map(([name, text]) => [
    name,
    markdownNames.has(name) ? text : text.replace(/[\\`*_[\]<>]/g, "\\$&"),
  ]);
  const email = values.email || `[${wordsForEmpty.email}](/contact)`;
  return { ...values, ...Object.fromEntries(entries), email };
}

/**
 * Returns the sentences of a filled text, such as a title or a description, whose condition is met and which have no
 * empty value. A condition holds up to the end of its sentence or to the next condition.
 */
export const metSentences = (text: string, values: PlaceholderValues): string =>
  text
    .split(/(?<=[.?!]) +|(?<!\})(?=\{[?!])/)
    .map((part) => conditionalSentence.exec(part)!)
    .filter(([, conditions, rest]) => isMet(conditions!, values) && !hasEmptyValue(rest!))
    .map(([, , rest]) => rest!.trim())
    .join(" ");

const isMet = (conditions: string, values: PlaceholderValues) =>
  [...conditions.matchAll(/([?!])([\w-]+)/g)].every(
    ([, sign, name]) => Boolean(values[name!]) === (sign === "?"),
  );
