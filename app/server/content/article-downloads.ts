import * as z from "zod/mini";
import type { ArticleDownload } from "../../domain/article.ts";
import { textDocument } from "../office/text-document.ts";
import { once } from "../once.ts";
import { agreementFile, agreementSchema } from "./agreement-sheet.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { ContentError, type FileError } from "./content-error.ts";
import { splitDocument } from "./document.ts";
import { type Block, blocksOf, textOf } from "./markdown.ts";
import { fillMarkdown, fillSlug, fillText, type PlaceholderValues } from "./placeholders.ts";
import { readYaml, text } from "./yaml.ts";

const documentSchema = z.strictObject({ title: text, label: text, article: text });

/** The article's Markdown, as it is served. */
export interface ArticleText {
  file: string;
  slug: string;
  title: string;
  body: string;
}

type Result = { download: ArticleDownload } | { errors: FileError[] };

/**
 * Returns the files that articles offer, from downloads/, each built on first use.
 * @param areChecked whether to build them now, for their errors
 */
export function readArticleDownloads(
  files: ContentFiles,
  articles: ArticleText[],
  values: PlaceholderValues,
  areChecked: boolean,
): { downloads: ArticleDownload[]; errors: FileError[] } {
  const results = [...files]
    .filter(([file]) => file.startsWith("downloads/"))
    .map(([file, source]) =>
      file.endsWith(".md")
        ? readTextDocument(file, source, articles, values)
        : readAgreement(file, source, articles, values),
    );
  const downloads = results.flatMap((result) => ("download" in result ? [result.download] : []));
  const errors = results.flatMap((result) => ("errors" in result ? result.errors : []));
  if (areChecked) errors.push(...downloads.flatMap(errorsOf));
  return { downloads, errors };
}

function errorsOf(download: ArticleDownload): FileError[] {
  try {
    void download.bytes;
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.errors;
    throw error;
  }
}

/** @param build may throw a ContentError */
function downloadFrom(
  facts: Omit<ArticleDownload, "bytes">,
  build: () => Uint8Array,
): ArticleDownload {
  const bytes = once(build);
  return {
    ...facts,
    get bytes() {
      return bytes();
    },
  };
}

const fillWith = (values: PlaceholderValues) => (text: string, key: string) =>
  key === "article" ? fillSlug(text, values) : fillText(text, values);

function readAgreement(
  file: string,
  source: string,
  articles: ArticleText[],
  values: PlaceholderValues,
): Result {
  const result = readYaml(source, agreementSchema, file, fillWith(values));
  if ("errors" in result) return result;
  const { article, label } = result.value;
  if (!articles.some(({ slug }) => slug === article)) return notAnArticle(file, source, article);
  const name = file.replace(/^downloads\/(.*)\.yaml$/, "$1.xlsx");
  return { download: downloadFrom({ article, label, name }, () => agreementFile(result.value)) };
}

function readTextDocument(
  file: string,
  source: string,
  articles: ArticleText[],
  values: PlaceholderValues,
): Result {
  const parts = splitDocument(file, source);
  if ("errors" in parts) return parts;
  const result = readYaml(parts.yaml, documentSchema, file, fillWith(values), 2);
  if ("errors" in result) return result;
  const { title, label, article } = result.value;
  const from = articles.find(({ slug }) => slug === article);
  if (!from) return notAnArticle(file, source, article);
  const name = file.replace(/^downloads\/(.*)\.md$/, "$1.docx");
  const origin = `From the article “${from.title}”, ${values.product}.`;
  const build = () => {
    const blocks = blocksWithPassages({ file, source, body: parts.body }, from, values);
    return textDocument(title, blocks, origin);
  };
  return { download: downloadFrom({ article, label, name }, build) };
}

/**
 * Returns the blocks of a text, with the article's in place of references to them.
 * @throws ContentError
 */
function blocksWithPassages(
  { file, source, body }: { file: string; source: string; body: string },
  article: ArticleText,
  values: PlaceholderValues,
): Block[] {
  const passages = blocksOf(fillMarkdown(article.body, values));
  const errors: FileError[] = [];
  const blocks = blocksOf(fillMarkdown(body, values)).flatMap((block): Block[] => {
    const start = /^\{article: (.+)\}$/.exec(textOf(block).trim())?.[1];
    if (start === undefined) return [block];
    const passage = passages.find((one) => textOf(one).startsWith(start));
    if (passage) return [passage];
    const line = lineOf(source, `{article: ${start}}`);
    errors.push({ file, line, message: `no passage of ${article.slug} begins with “${start}”` });
    return [];
  });
  const unsupported = blocks.find(({ type }) => !supported.has(type));
  if (unsupported) {
    const message = `a ${unsupported.type} has no form in a Word file`;
    errors.push({ file, line: lineOf(source, unsupported.raw.split("\n")[0]!), message });
  }
  if (errors.length > 0) throw new ContentError(errors);
  return blocks;
}

const supported = new Set(["heading", "paragraph", "blockquote", "list", "space"]);

const lineOf = (source: string, text: string) =>
  source.slice(0, source.indexOf(text)).split("\n").length;

const notAnArticle = (file: string, source: string, article: string): Result => ({
  errors: [
    { file, line: lineOf(source, "article:"), message: `article: ${article} is not an article` },
  ],
});
