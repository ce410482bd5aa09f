import type { Brand } from "../../brand.ts";
import type { Article, Blog, LegalPage, LegalPageName } from "../../domain/article.ts";
import { listedPaths } from "../../site.ts";
import { readArticles } from "./articles.ts";
import { readBlog } from "./blog.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { ContentError, type FileError } from "./content-error.ts";
import { readLegalPages } from "./legal-pages.ts";

export interface Content {
  articles: Article[];
  blog: Blog;
  legalPages: Record<LegalPageName, LegalPage>;
}

/**
 * Returns all articles and legal pages, with the brand filled in.
 * @throws ContentError with every error in every file
 */
export function readContent(files: ContentFiles, brand: Brand, retentionDays: number): Content {
  const { name: product, slug, company, email, phone, address, registration } = brand;
  const { informationOfficer, hosting, encryption } = brand;
  const values = {
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
  const articleResult = readArticles(files, values);
  const legalResult = readLegalPages(files, values);
  const { articles } = articleResult;
  const slugs = new Set(articles.map(({ slug }) => slug));
  const { blog, errors: blogErrors } = readBlog(files, slugs, values);
  const paths = new Set([...listedPaths(), ...[...slugs].map((slug) => `/${slug}`)]);
  const brokenLinks: FileError[] = [...articleResult.links, ...legalResult.links]
    .filter(({ href }) => href.startsWith("/") && !paths.has(href.replace(/[?#].*$/, "")))
    .map(({ file, line, href }) => ({
      file,
      line,
      message: `links to ${href}, which does not exist`,
    }));
  const errors = [...articleResult.errors, ...blogErrors, ...legalResult.errors, ...brokenLinks];
  if (errors.length > 0) throw new ContentError(errors);
  return { articles, blog, legalPages: legalResult.pages };
}
