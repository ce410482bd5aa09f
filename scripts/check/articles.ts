/** Checks what the built-in articles owe their readers beyond what the server validates: links, sources and facts. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { demoUpload } from "../../app/forms/demo-upload.ts";
import { maxFileBytes } from "../../app/forms/files.ts";

interface Article {
  file: string;
  slug: string;
  readNext: string[];
  sources: unknown[];
  text: string;
}

/** Text that names research, an act or a report. */
const namesWork =
  /\bPOPIA\b|\b(published|reported|compared|showed|found|wrote|review|study|report|paper|article)\b[^.]{0,60}\b(in|of) (January |June |August |December )?(19|20)\d\d\b|\bIn (19|20)\d\d [A-Z]|\b(19|20)\d\d (review|study|report)\b|\bstud(y|ies) (by|of|published)\b/;

const folder = path.join(import.meta.dirname, "../../content/articles");
const articles = readdirSync(folder).map(readArticle);
const faults = [
  ...articles.flatMap(faultsOfLinks),
  ...articles.flatMap(faultsOfSources),
  ...articles.flatMap(faultsOfFacts),
];
if (articles.length < 35) throw new Error("The articles were not found.");
for (const fault of faults) console.error(`content/articles/${fault}`);
if (faults.length > 0) process.exit(1);

function readArticle(file: string): Article {
  const [, frontMatter, ...text] = readFileSync(path.join(folder, file), "utf8").split(/^---\n/m);
  const { slug, readNext = [], sources = [] } = parse(frontMatter!) as Article;
  return { file, slug, readNext, sources, text: text.join("---\n") };
}

function linksOf({ slug, readNext, text }: Article): Set<string> {
  const linked = [...text.matchAll(/\]\(\/([\w{}-]+)/g)].map(([, target]) => target!);
  return new Set([...readNext, ...linked].filter((target) => target !== slug));
}

function faultsOfLinks(article: Article): string[] {
  const { file, slug, readNext } = article;
  const links = linksOf(article);
  const leading = articles.filter((other) => links.has(other.slug)).length;
  const from = articles.filter((other) => other !== article && linksOf(other).has(slug)).length;
  return [
    ...(readNext.length === 2
      ? []
      : [`${file}: has ${readNext.length} articles to read next, not 2`]),
    ...(leading >= 2 ? [] : [`${file}: leads to ${leading} other articles, not at least 2`]),
    ...(from >= 2 ? [] : [`${file}: only ${from} other articles lead to it, not at least 2`]),
  ];
}

function faultsOfSources({ file, sources, text }: Article): string[] {
  const named = namesWork.exec(text);
  return named && sources.length === 0 ? [`${file}: “${named[0]}” has no source`] : [];
}

/** The demo's limits are as the code has them, scans have one resolution, and uploads link to the upload. */
function faultsOfFacts({ file, text }: Article): string[] {
  const { max } = demoUpload.fileFields.submissionFiles;
  const wrong = (pattern: RegExp, right: number) =>
    [...text.matchAll(pattern)]
      .filter(([, figure]) => Number(figure) !== right)
      .map(([whole]) => `${file}: “${whole}” must say ${right}`);
  const paragraphs = text.split("\n\n");
  const misleading = paragraphs.filter(
    (one) => one.includes("](/demo)") && /\bMB\b|\bfiles?\b/.test(one),
  );
  return [
    ...wrong(/(?:at most|under|up to|limit of) (\d+) MB/g, maxFileBytes / 1024 ** 2),
    ...wrong(/(\d+) submissions/g, max),
    ...wrong(/(\d+) (?:dots|dpi)/g, 200),
    ...misleading.map((one) => `${file}: links to /demo in place of /#demo: ${one.slice(0, 80)}`),
  ];
}
