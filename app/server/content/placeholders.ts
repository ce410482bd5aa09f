/** What stands in content for the placeholders in braces: `{product}`, `{company}`, `{retentionDays}` … */
export type Fillings = Record<string, string> & { product: string; slug: string };

/** Left where a filling is empty, so that what mentions it can be left out: a character that no text has. */
export const emptyMark = "\uE000";

/** Fills in plain text. */
export function fillText(text: string, fillings: Fillings): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    Object.hasOwn(fillings, name) ? fillings[name]! || emptyMark : whole,
  );
}

/** Fills in Markdown: in a link's address `{product}` is the slug, and elsewhere the name, which must not be read as Markdown. */
export function fillMarkdown(markdown: string, fillings: Fillings): string {
  const { email = "", slug } = fillings;
  const inAddresses = markdown.replace(/\]\(([^)\s]*)\)/g, (_, address: string) => {
    const filled = address.replaceAll("{product}", slug).replaceAll("{email}", () => email);
    return `](${filled})`;
  });
  const escaped = Object.fromEntries(
    Object.entries(fillings).map(([name, text]) => [
      name,
      // An address is to become a link.
      name === "email" ? text : text.replace(/[\\`*_[\]<>]/g, "\\$&"),
    ]),
  );
  return fillText(inAddresses, escaped as Fillings);
}
