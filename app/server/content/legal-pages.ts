import * as z from "zod/mini";
import type { LegalPage, LegalPageName } from "../../domain/article.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { readDocument } from "./document.ts";
import type { PlaceholderValues } from "./placeholders.ts";

const names: LegalPageName[] = [
  "paia-manual",
  "privacy-policy",
  "security-policy",
  "terms-conditions",
];

const text = z.string("must be text").check(z.minLength(1, "must not be empty"));

const schema = z.strictObject({
  title: text,
  description: text,
  intro: text,
  updated: text,
});

interface LegalPagesResult {
  pages: Record<LegalPageName, LegalPage>;
  links: { file: string; line: number; href: string }[];
  errors: FileError[];
}

/** Returns the legal pages, with their links and every error found. */
export function readLegalPages(files: ContentFiles, values: PlaceholderValues): LegalPagesResult {
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
    const { frontMatter, html, contents } = result.document;
    pages[name] = { ...frontMatter, html, contents };
    links.push(...result.document.links.map((link) => ({ file, ...link })));
  }
  return { pages: pages as LegalPagesResult["pages"], links, errors };
}
