import * as z from "zod/mini";
import {
  date,
  type LegalPage,
  type LegalPageName,
  legalPageNames,
  nonEmptyText as text,
} from "../../domain/article.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { checkText, type Found, readDocument } from "./document.ts";
import type { PlaceholderValues } from "./placeholders.ts";

/** May be empty, if no condition in the text is met. */
const conditional = z.string("must be text");

const schema = z.strictObject({
  title: text,
  description: conditional,
  intro: conditional,
  updated: date,
});

/**
 * Returns the legal pages, each rendered on first use.
 * @param isOwn whether a file is the institution's own, so that its links and errors are checked now
 */
export function readLegalPages(
  files: ContentFiles,
  values: PlaceholderValues,
  isOwn: (file: string) => boolean,
  found: Found,
): Record<LegalPageName, LegalPage> {
  const pages: Partial<Record<LegalPageName, LegalPage>> = {};
  for (const name of legalPageNames) {
    const file = `pages/${name}.md`;
    const document = readDocument({ file, source: files.get(file)! }, schema, values, found);
    if (!document) continue;
    const { frontMatter, rendered } = document;
    pages[name] = {
      ...frontMatter,
      get html() {
        return rendered().html;
      },
      get contents() {
        return rendered().contents;
      },
    };
    if (isOwn(file)) checkText(file, document, found);
  }
  // A page is missing only after an error, and readContent throws then.
  return pages as Record<LegalPageName, LegalPage>;
}
