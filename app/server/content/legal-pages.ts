import * as z from "zod/mini";
import type { LegalPage, LegalPageName } from "../../domain/article.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { ContentFault } from "./content-error.ts";
import { readDocument } from "./document.ts";
import type { Fillings } from "./placeholders.ts";

const names: LegalPageName[] = ["privacy-policy", "security-policy", "terms-conditions"];

const text = z.string("must be a text").check(z.minLength(1, "must not be empty"));

const rule = z.strictObject({
  title: text,
  description: text,
  intro: text,
  updated: text,
});

export interface ReadLegalPages {
  pages: Record<LegalPageName, LegalPage>;
  links: { file: string; line: number; href: string }[];
  faults: ContentFault[];
}

export function readLegalPages(files: ContentFiles, fillings: Fillings): ReadLegalPages {
  const pages: Partial<Record<LegalPageName, LegalPage>> = {};
  const links: ReadLegalPages["links"] = [];
  const faults: ContentFault[] = [];
  for (const name of names) {
    const file = `pages/${name}.md`;
    const read = readDocument(file, files.get(file)!, rule, fillings);
    if ("faults" in read) {
      faults.push(...read.faults);
      continue;
    }
    const { front, html, contents } = read.document;
    pages[name] = { ...front, html, contents };
    links.push(...read.document.links.map((link) => ({ file, ...link })));
  }
  return { pages: pages as ReadLegalPages["pages"], links, faults };
}
