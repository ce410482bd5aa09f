import type { Brand } from "../../brand.ts";
import type { Article, LegalPage, LegalPageName } from "../../domain/article.ts";
import { readArticles } from "./articles.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { ContentError, type ContentFault } from "./content-error.ts";
import { readLegalPages } from "./legal-pages.ts";

export interface Content {
  articles: Article[];
  legalPages: Record<LegalPageName, LegalPage>;
}

/**
 * All articles and legal pages, with the brand filled in.
 * @param pages the addresses of all other pages, which articles may link to
 * @throws WrongContent with every fault in every file
 */
export function readContent(
  files: ContentFiles,
  brand: Brand,
  retentionDays: number,
  pages: string[],
): Content {
  const { name: product, slug, company, email, phone, address, registration } = brand;
  const { informationOfficer, hosting, encryption } = brand;
  const fillings = {
    product,
    slug,
    company,
    email,
    phone,
    address,
    registration,
    informationOfficer,
    hosting,
    encryption,
    retentionDays: String(retentionDays),
  };
  const read = readArticles(files, fillings);
  const legal = readLegalPages(files, fillings);
  const known = new Set([...pages, ...read.articles.map((article) => `/${article.slug}`)]);
  const dead: ContentFault[] = [...read.links, ...legal.links]
    .filter(({ href }) => href.startsWith("/") && !known.has(href.replace(/[?#].*$/, "")))
    .map(({ file, line, href }) => ({ file, line, message: `there is no page ${href}` }));
  const faults = [...read.faults, ...legal.faults, ...dead];
  if (faults.length > 0) throw new ContentError(faults);
  return { articles: read.articles, legalPages: legal.pages };
}
