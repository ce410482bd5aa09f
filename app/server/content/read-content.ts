import type { RouteContext } from "../../context.ts";
import { type ArticleDownload, legalPageNames } from "../../domain/article.ts";
import type { PageTexts } from "../../domain/page-text.ts";
import { listedPaths, markingPath } from "../../site.ts";
import type { Config } from "../config/load-config.ts";
import { once } from "../system/once.ts";
import {
  blogFile,
  builtInFiles,
  type ContentFiles,
  downloadsFolder,
  isBuiltIn,
} from "./built-in-files.ts";
import { ContentError, type FileError, fileMessage } from "./content-error.ts";
import type { Found } from "./document.ts";
import { readLegalPages } from "./legal-pages.ts";
import { markingGuide } from "./marking-guide.ts";
import { readPageTexts } from "./page-texts.ts";
import { placeholderValues } from "./placeholder-values.ts";
import type { PlaceholderValues } from "./placeholders.ts";
import { readArticles } from "./read-articles.ts";
import { readBlog } from "./read-blog.ts";

export interface Content
  extends Pick<
    RouteContext,
    "articles" | "downloads" | "blog" | "legalPages" | "texts" | "markingGuide"
  > {
  /** Sentences about content that is not served as the institution may expect, each with its file. */
  warnings: string[];
}

/**
 * Returns the content, with the values of the brand and the settings filled in.
 * @throws ContentError with every error in every file
 */
export function readContent(config: Config): Content {
  const { files } = config.content;
  const values = placeholderValues(config);
  const own = ownFiles(files);
  const found: Found = { links: [], errors: [], warnings: [...config.content.warnings] };
  // Tests check the built-in articles. Render them at start only if the institution has added, edited or removed some.
  const isArticle = (file: string) => file.startsWith("articles/");
  const areArticlesChecked =
    [...own.keys()].some(isArticle) ||
    [...builtInFiles.keys()].some((file) => isArticle(file) && !files.has(file));
  const articles = readArticles(files, values, areArticlesChecked, found);
  const slugs = new Set(articles.map(({ slug }) => slug));
  // Slugs are conditions too: a line with a link to an article is left out if the article does not exist. An article
  // whose slug is the name of a value, such as "pricing", leaves the value as it is.
  const withSlugs = { ...Object.fromEntries([...slugs].map((slug) => [slug, slug])), ...values };
  const { blog, downloads } = readBlog(files, slugs, values, found);
  const legalPages = readLegalPages(files, withSlugs, (file) => own.has(file), found);
  const texts = readPageTexts(files, withSlugs, (file) => own.has(file), found);
  const paths = new Set([...listedPaths(), markingPath, ...[...slugs].map((slug) => `/${slug}`)]);
  const brokenLinks = found.links
    .filter(({ href }) => href.startsWith("/") && !paths.has(href.replace(/[?#].*$/, "")))
    .map(({ file, line, href }) => ({
      file,
      line,
      message: `links to ${href}, which does not exist`,
    }));
  const errors = [...found.errors, ...brokenLinks];
  if (errors.length > 0) throw new ContentError(errors);
  const warnings = [
    ...found.warnings,
    ...unknownNames(own, withSlugs),
    ...unlistedDownloads(own, downloads),
    ...lostHeadings(own, legalPages, texts),
    ...(config.brand.isBuiltIn ? [] : uneditedArticles(files)),
  ].map(fileMessage);
  return {
    articles,
    downloads,
    blog,
    legalPages,
    texts,
    markingGuide: once(() => markingGuide(values)),
    warnings,
  };
}

/** Returns the files that are not built in, or have been edited. */
const ownFiles = (files: ContentFiles): ContentFiles =>
  new Map([...files].filter(([file, text]) => !isBuiltIn(file, text)));

/** Returns a warning for each name in braces that stands for nothing, such as `{?nme}`, in the institution's pages. */
const unknownNames = (own: ContentFiles, values: PlaceholderValues): FileError[] =>
  [...own]
    .filter(([file]) => file.startsWith("pages/"))
    .flatMap(([file, text]) =>
      text.split("\n").flatMap((line, index) =>
        // Braces directly after a phrase are no name but the code of its language: `*rubrica*{la}`. {name} stays as it
        // is, for sample emails in a text.
        [...line.matchAll(/(?<!\*)\{[?!]?([\w-]+)\}/g)]
          .filter(([, name]) => !Object.hasOwn(values, name!) && name !== "name")
          // Do not warn of names in the built-in page: one may be an article that this site does not serve.
          .filter(([whole]) => !builtInFiles.get(file)?.includes(whole))
          .map(([whole]) => ({ file, line: index + 1, message: `${whole} names no value` })),
      ),
    );

/** Returns a warning for each of the institution's downloads that no article offers. */
const unlistedDownloads = (own: ContentFiles, downloads: ArticleDownload[]): FileError[] =>
  [...own.keys()]
    .filter((file) => file.startsWith(downloadsFolder))
    .filter((file) => !downloads.some(({ name }) => downloadsFolder + name === file))
    .map((file) => ({ file, message: `is not used by the site; list it in ${blogFile}` }));

/** Returns a warning for each of the institution's legal pages that lacks a heading to which another page links. */
function lostHeadings(own: ContentFiles, legalPages: Content["legalPages"], texts: PageTexts) {
  const linksTo = /"\/([\w-]+)#([^"\\]+)/g;
  const links = once(() => [...JSON.stringify([legalPages, texts]).matchAll(linksTo)]);
  return legalPageNames.flatMap((name): FileError[] => {
    const file = `pages/${name}.md`;
    if (!own.has(file)) return [];
    const ids = new Set(links().flatMap(([, page, id]) => (page === name ? id! : [])));
    const lost = [...ids].filter((id) => !legalPages[name].html.includes(` id="${id}"`));
    const message = `lacks headings to which other pages link: ${lost.map((id) => `#${id}`).join(", ")}`;
    return lost.length > 0 ? [{ file, message }] : [];
  });
}

/** Returns a warning for each built-in article that an institution serves as its own. */
const uneditedArticles = (files: ContentFiles): FileError[] =>
  [...files]
    .filter(([file, text]) => file.startsWith("articles/") && isBuiltIn(file, text))
    .map(([file]) => ({
      file,
      message: "is a built-in article, unedited: its “we” and its figures are then yours",
    }));
