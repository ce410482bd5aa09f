import type { Brand } from "../../brand.ts";
import type {
  Article,
  ArticleDownload,
  Blog,
  LegalPage,
  LegalPageName,
} from "../../domain/article.ts";
import type { PageTexts } from "../../domain/page-text.ts";
import { recipientsOf } from "../../domain/recipients.ts";
import {
  draftMinutes,
  linkDays,
  maxFileMegabytes,
  maxSubmissions,
  receiptHours,
  replyHours,
  rubricReplyHours,
} from "../../domain/service.ts";
import { listedPaths } from "../../site.ts";
import { readArticles } from "./articles.ts";
import { builtInFiles, type ContentFiles } from "./built-in-files.ts";
import { withoutClaims } from "./claim-passages.ts";
import { ContentError, type FileError } from "./content-error.ts";
import { readLegalPages } from "./legal-pages.ts";
import { readPageTexts } from "./page-texts.ts";
import type { PlaceholderValues } from "./placeholders.ts";
import { readBlog } from "./read-blog.ts";

export interface Content {
  articles: Article[];
  downloads: ArticleDownload[];
  blog: Blog;
  legalPages: Record<LegalPageName, LegalPage>;
  texts: PageTexts;
}

/**
 * Returns all articles, their downloads, the legal pages and the texts of other pages, with the brand filled in.
 * @throws ContentError with every error in every file
 */
export function readContent(files: ContentFiles, brand: Brand, retentionDays: number): Content {
  const values = placeholderValues(brand, retentionDays);
  const own = ownFiles(files);
  // Tests check the built-in files, so only an institution's own take time at each start.
  const hasOwnArticles = [...own.keys()].some((file) => file.startsWith("articles/"));
  const articleResult = readArticles(
    brand.isBuiltIn ? files : withoutBuiltInClaims(files, own),
    values,
    hasOwnArticles,
  );
  const legalResult = readLegalPages(files, values, (file) => own.has(file));
  const textResult = readPageTexts(files, values, (file) => own.has(file));
  const { articles } = articleResult;
  const slugs = new Set(articles.map(({ slug }) => slug));
  const blogResult = readBlog(files, own, slugs, values);
  const paths = new Set([...listedPaths(), ...[...slugs].map((slug) => `/${slug}`)]);
  const brokenLinks: FileError[] = [
    ...articleResult.links,
    ...legalResult.links,
    ...textResult.links,
  ]
    .filter(({ href }) => href.startsWith("/") && !paths.has(href.replace(/[?#].*$/, "")))
    .map(({ file, line, href }) => ({
      file,
      line,
      message: `links to ${href}, which does not exist`,
    }));
  const errors = [
    ...articleResult.errors,
    ...blogResult.errors,
    ...legalResult.errors,
    ...textResult.errors,
    ...brokenLinks,
  ];
  if (errors.length > 0) throw new ContentError(errors);
  const { blog, downloads } = blogResult;
  return { articles, downloads, blog, legalPages: legalResult.pages, texts: textResult.pages };
}

function placeholderValues(brand: Brand, retentionDays: number): PlaceholderValues {
  const { name: product, slug, company, phone, address, registration } = brand;
  const { email, informationOfficer, hosting, encryption, pricing, workspace, curriculum } = brand;
  const { model, modelCountry, dataCountry, reviewers, claims, pilot, afterDemo } = brand;
  const steps = (list: string[]) => list.map((step) => `1. ${step}`).join("\n");
  return {
    ...Object.fromEntries(Object.entries(claims).map(([name, { figure }]) => [name, figure])),
    ...{ product, slug, company, email, phone, address, registration, informationOfficer },
    ...{ hosting, encryption, model, modelCountry, dataCountry, reviewers },
    ...{ pricing, workspace, curriculum, pilot: steps(pilot), afterDemo: steps(afterDemo) },
    whoWeAre: company === product ? `We’re ${company}` : `${company} runs ${product}`,
    recipients: recipientsOf(brand),
    retentionDays: String(retentionDays),
    maxSubmissions: String(maxSubmissions),
    maxFileMegabytes: String(maxFileMegabytes),
    replyHours: String(replyHours),
    rubricReplyHours: `${rubricReplyHours.from}-${rubricReplyHours.to}`,
    linkDays: String(linkDays),
    receiptHours: String(receiptHours),
    draftMinutes: String(draftMinutes),
  };
}

/** Returns the files that are not built in, or have been edited. */
function ownFiles(files: ContentFiles): ContentFiles {
  const builtIn = builtInFiles();
  return new Map([...files].filter(([file, text]) => text !== builtIn.get(file)));
}

/** Under another brand, built-in articles say nothing of what the built-in one claims. */
function withoutBuiltInClaims(files: ContentFiles, own: ContentFiles): ContentFiles {
  return new Map(
    [...files].map(([file, text]) => [
      file,
      file.startsWith("articles/") && !own.has(file) ? withoutClaims(text) : text,
    ]),
  );
}
