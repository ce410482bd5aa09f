/**
 * Checks the built-in articles beyond what the server validates: links, sources, facts, claims, length and repetitions.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { demoUpload } from "../../app/forms/demo-upload.ts";

interface Article {
  file: string;
  slug: string;
  readNext: string[];
  sources: unknown[];
  text: string;
  /** Slugs that it recommends or links to, except its own. */
  links: Set<string>;
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
  ...articles.flatMap(faultsOfClaims),
  ...articles.flatMap(faultsOfLength),
  ...repetitions(),
];
if (articles.length < 35) throw new Error("The articles were not found.");
for (const fault of faults) console.error(`content/articles/${fault}`);
if (faults.length > 0) process.exit(1);

function readArticle(file: string): Article {
  const [, frontMatter, ...text] = readFileSync(path.join(folder, file), "utf8").split(/^---\n/m);
  const { slug, readNext = [], sources = [] } = parse(frontMatter!) as Article;
  const body = text.join("---\n");
  const linked = [...body.matchAll(/\]\(\/([\w{}-]+)/g)].map(([, target]) => target!);
  const links = new Set([...readNext, ...linked].filter((target) => target !== slug));
  return { file, slug, readNext, sources, text: body, links };
}

function faultsOfLinks({ file, slug, readNext, links }: Article): string[] {
  const linkedCount = articles.filter((other) => links.has(other.slug)).length;
  const linkingCount = articles.filter((other) => other.links.has(slug)).length;
  return [
    readNext.length !== 2 && `${file}: has ${readNext.length} articles to read next, not 2`,
    linkedCount < 2 && `${file}: leads to ${linkedCount} other articles, not at least 2`,
    linkingCount < 2 && `${file}: only ${linkingCount} other articles lead to it, not at least 2`,
  ].filter((fault) => fault !== false);
}

function faultsOfSources({ file, sources, text }: Article): string[] {
  const named = namesWork.exec(text);
  return named && sources.length === 0 ? [`${file}: “${named[0]}” has no source`] : [];
}

/**
 * Faults in facts: limits of the demo that differ from the code, resolutions of scans other than 200 dpi, and
 * paragraphs about files that link to the form without files (/demo) in place of the upload (/#demo).
 */
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
    ...[...text.matchAll(/(?:at most|under|up to|limit of|(?:heavi|larg)er than) \d+ MB/g)].map(
      ([whole]) => `${file}: “${whole}” must say {maxFileMegabytes}, which is a setting`,
    ),
    ...wrong(/(\d+) submissions/g, max),
    ...wrong(/(\d+) (?:dots|dpi)/g, 200),
    ...misleading.map((one) => `${file}: links to /demo in place of /#demo: ${one.slice(0, 80)}`),
  ];
}

/** Faults in claims: 95–98% belongs in one article alone, 99.2% must be qualified, and one article must claim 80%. */
function faultsOfClaims({ file, text }: Article): string[] {
  const claimsRange = /95(–| to |-)98\s?%|95\s?% (to|and) 98\s?%/.test(text);
  const isQualified = /not (been )?independently tested/i.test(text);
  return [
    claimsRange !== (file === "exam-grading-accuracy-comparison.md") &&
      `${file}: 95–98% is claimed in exam-grading-accuracy-comparison.md alone`,
    /99[.,]2\s?%/.test(text) &&
      !isQualified &&
      `${file}: claims 99.2% and does not say that the test was not independent`,
    file === "eliminate-grading-stress-with-product.md" &&
      !/80\s?%/.test(text) &&
      `${file}: does not claim 80%`,
  ].filter((fault) => fault !== false);
}

function faultsOfLength({ file, text }: Article): string[] {
  const count = text.split(/\s+/).filter(Boolean).length;
  return count >= 500 && count <= 2100 ? [] : [`${file}: ${count} words, not 500 to 2,100`];
}

/** Faults of repetition: runs of twelve words, and openings of three, that two articles share. */
function repetitions(): string[] {
  const seen = new Map<string, string>();
  const repeated: string[] = [];
  for (const { file, text } of articles) {
    const plain = text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "");
    const words = plain.split(/\s+/).filter(Boolean);
    const runs = [`opening: ${words.slice(0, 3).join(" ")}`];
    for (let start = 0; start + 12 <= words.length; start += 1) {
      runs.push(words.slice(start, start + 12).join(" "));
    }
    for (const run of runs) {
      const other = seen.get(run) ?? file;
      if (other !== file) repeated.push(`${file}: has “${run}”, as ${other} does`);
      seen.set(run, file);
    }
  }
  return repeated;
}
