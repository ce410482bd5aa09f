import * as z from "zod/mini";
import type { LegalPage, LegalPageName } from "../../domain/article.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { checkText, type Link, readDocument } from "./document.ts";
import { metSentences, type PlaceholderValues } from "./placeholders.ts";
import { nonEmptyText as text } from "./yaml.ts";

const names: LegalPageName[] = [
  "paia-manual",
  "privacy-policy",
  "security-policy",
  "terms-conditions",
];

const schema = z.strictObject({
  title: text,
  description: text,
  intro: text,
  updated: text,
});

interface LegalPagesResult {
  pages: Record<LegalPageName, LegalPage>;
  links: Link[];
  errors: FileError[];
}

/**
 * Returns the legal pages, each rendered on first use.
 * @param isOwn whether a file is the institution's own, and so is rendered now, for its links and errors
 */
export function readLegalPages(
  files: ContentFiles,
  values: PlaceholderValues,
  isOwn: (file: string) => boolean,
): LegalPagesResult {
  const pages: Partial<Record<LegalPageName, LegalPage>> = {};
  const links: LegalPagesResult["links"] = [];
  const errors: FileError[] = [];
  for (const name of names) {
    const file = `pages/${name}.md`;
    const result = readDocument(file, files.get(file)!, schema, values);
    if ("errors" in result) {
      errors.push(...result.errors);
      continue;
    }
    const { frontMatter, rendered } = result.document;
    pages[name] = {
      ...frontMatter,
      description: metSentences(frontMatter.description, values),
      intro: metSentences(frontMatter.intro, values),
      get html() {
        return rendered().html;
      },
      get contents() {
        return rendered().contents;
      },
    };
    if (!isOwn(file)) continue;
    const checked = checkText(file, result.document);
    links.push(...checked.links);
    errors.push(...checked.errors);
  }
  return { pages: pages as LegalPagesResult["pages"], links, errors };
}
