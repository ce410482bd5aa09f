import path from "node:path";
import type * as z from "zod/mini";
import { type Article, articleFrontMatter } from "../../domain/article.ts";
import { searchableWords } from "../../domain/search.ts";
import { reservedSlugs } from "../../site.ts";
import { once } from "../system/once.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { checkText, type Document, type Found, lineOfKey, readDocument } from "./document.ts";
import { textOfHtml, wordsIn } from "./markdown.ts";
import type { PlaceholderValues } from "./placeholders.ts";

const wordsPerMinute = 200;

type FrontMatter = z.infer<typeof articleFrontMatter>;

/** The articles that a file recommends, and the line of its front matter that names them. */
interface ReadNext {
  file: string;
  line: number;
  slugs: string[];
}

/**
 * Returns all articles, sorted by id, each rendered on first use.
 * @param areChecked whether the articles are rendered now, for their links and errors
 */
export function readArticles(
  files: ContentFiles,
  values: PlaceholderValues,
  areChecked: boolean,
  found: Found,
): Article[] {
  const { errors } = found;
  const articles: Article[] = [];
  const next: ReadNext[] = [];
  /** Base names of the files with errors. Most are slugs as well, so `readNext` may name them. */
  const unread: string[] = [];
  const seen = new Map<string, string>();
  const reserved = reservedSlugs();
  for (const [file, source] of files) {
    if (!/^articles\/[^/]+\.md$/.test(file)) continue;
    const document = readDocument({ file, source }, articleFrontMatter, values, found);
    if (!document) {
      unread.push(path.basename(file, ".md"));
      continue;
    }
    const { slug, readNext } = document.frontMatter;
    errors.push(...claimValues({ file, source }, document.frontMatter, seen));
    if (reserved.has(slug)) {
      const message = `slug: ${slug} is reserved; choose another slug`;
      errors.push({ file, line: lineOfKey(source, "slug"), message });
    }
    if (areChecked) checkText(file, document, found);
    next.push({ file, line: lineOfKey(source, "readNext"), slugs: readNext });
    articles.push(toArticle(document, values.product));
  }
  errors.push(...readNextErrors(next, new Set([...articles.map(({ slug }) => slug), ...unread])));
  return articles.sort((a, b) => a.id - b.id);
}

function readNextErrors(next: ReadNext[], known: ReadonlySet<string>): FileError[] {
  return next.flatMap(({ file, line, slugs }) =>
    slugs
      .filter((slug) => !known.has(slug))
      .map((slug) => ({ file, line, message: `readNext: ${slug} is not an article` })),
  );
}

/** Adds an article's unique values to `seen`, with its file. Returns an error for each that an earlier article has. */
const claimValues = (
  { file, source }: { file: string; source: string },
  frontMatter: FrontMatter,
  seen: Map<string, string>,
): FileError[] =>
  (["slug", "id", "description"] as const).flatMap((key) => {
    const value = frontMatter[key];
    if (value === undefined) return [];
    const claimed = `${key} ${value}`;
    const other = seen.get(claimed);
    seen.set(claimed, file);
    const message = `${key}: already used by ${other}`;
    return other ? { file, line: lineOfKey(source, key), message } : [];
  });

function toArticle(
  { frontMatter, body, rendered }: Document<FrontMatter>,
  productName: string,
): Article {
  const { title, excerpt, category } = frontMatter;
  // Leave the product's name out: every article has it, so a search for it, or for "rubric", would find them all.
  const productWords = `${searchableWords(productName)} `;
  const withoutProduct = (part: string) =>
    `${searchableWords(part)} `.replaceAll(productWords, " ");
  const minutes = () => Math.max(1, Math.round(wordsIn(body) / wordsPerMinute));
  const readTime = once(() => `${minutes()} min read`);
  const text = once(() => textOfHtml(rendered().html));
  const searchable = once(() => ({
    title: withoutProduct(title),
    summary: withoutProduct(`${excerpt} ${category}`),
    text: withoutProduct(text()),
  }));
  return {
    ...frontMatter,
    get readTime() {
      return readTime();
    },
    get html() {
      return rendered().html;
    },
    get contents() {
      return rendered().contents;
    },
    get hasDatedNotes() {
      return rendered().hasDatedNotes;
    },
    get text() {
      return text();
    },
    get searchable() {
      return searchable();
    },
  };
}
