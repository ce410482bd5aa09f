/** What readers and search engines miss in an institution's own articles. None of it stops the site. */
import type { Brand } from "../../brand.ts";
import type { Article } from "../../domain/article.ts";
import type { ArticleText } from "./article-downloads.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { lineOfKey } from "./document.ts";

/** Search engines cut off what is longer. */
const maxTitle = 60;
const maxDescription = 155;

/** Phrases that name a work with its year: "published in 2012", "the 2019 study". */
const namedWork =
  /\b(published|reported|compared|showed|found|review|study|survey|report|paper)\b[^.]{0,60}\b(in|of) (\w+ )?(19|20)\d\d\b|\b(19|20)\d\d (review|study|survey|report|paper)\b|\bstud(y|ies) (by|of|published)\b/i;

const fence = /^\s*(```|~~~)/;
const inlineCode = /`[^`]*`/g;
const image = /!\[[^\]]*\]\([^)]*\)/;
/** Not <https://…>, which is a link. */
const htmlTag = /<\/?[a-z][a-z0-9]*(\s[^>]*)?\/?>/i;

interface Site {
  articles: Article[];
  texts: ArticleText[];
  links: { file: string; line: number; href: string }[];
  /** Articles and legal pages, by path. */
  pages: ReadonlyMap<string, { html: string }>;
  brand: Brand;
}

/** @param files the articles to look at; the others of the site count as targets of links */
export function adviceOn(files: ContentFiles, site: Site): FileError[] {
  return site.texts
    .filter(({ file }) => files.has(file))
    .flatMap(({ file, slug }) => {
      const article = site.articles.find((one) => one.slug === slug)!;
      const source = files.get(file)!;
      return [
        ...adviceOnFrontMatter(article, source),
        ...adviceOnText(article, source, site.brand),
        ...adviceOnLinks(file, article, site),
      ].map(({ line, message }) => ({ file, line: line ?? lineOfKey(source, "slug"), message }));
    });
}

interface Advice {
  /** The line of the slug if undefined. */
  line?: number;
  message: string;
}

function adviceOnFrontMatter(article: Article, source: string): Advice[] {
  const { title, seoTitle, excerpt, description } = article;
  const advice: Advice[] = [];
  if (!seoTitle && title.length > maxTitle) {
    const message = `title: ${title.length} characters, of which search results show ${maxTitle}; add a shorter seoTitle`;
    advice.push({ line: lineOfKey(source, "title"), message });
  }
  if (!description && excerpt.length > maxDescription) {
    const message = `excerpt: ${excerpt.length} characters, of which search results show ${maxDescription}; add a description`;
    advice.push({ line: lineOfKey(source, "excerpt"), message });
  }
  return advice;
}

function adviceOnText({ sources }: Article, source: string, { claims }: Brand): Advice[] {
  const lines = source.split(/\r?\n/);
  const start = lines.indexOf("---", 1) + 1;
  const figures = Object.values(claims)
    .map(({ figure }) => figure)
    .filter((figure) => /\d/.test(figure));
  let isCode = false;
  return lines.flatMap((text, index) => {
    const line = index + 1;
    const advice: Advice[] = [];
    if (index < start) return advice;
    if (fence.test(text)) isCode = !isCode;
    if (!isCode) advice.push(...adviceOnMarkdown(line, text.replace(inlineCode, "")));
    const work = namedWork.exec(text)?.[0];
    if (work && sources.length === 0) {
      advice.push({ line, message: `“${work}” names a work, and the article has no sources` });
    }
    const figure = figures.find((one) => text.includes(one));
    if (figure && !text.startsWith("#") && !text.includes("](/figures")) {
      advice.push({ line, message: `“${figure}” is claimed without a link to /figures` });
    }
    return advice;
  });
}

/** What an author may expect of Markdown, and articles do not have. */
function adviceOnMarkdown(line: number, text: string): Advice[] {
  const found = image.exec(text)?.[0];
  const tag = htmlTag.exec(text)?.[0];
  return [
    ...(found ? [{ line, message: `“${found}” becomes its text: articles have no images` }] : []),
    ...(tag ? [{ line, message: `“${tag}” is shown as it is typed: articles have no HTML` }] : []),
  ];
}

function adviceOnLinks(
  file: string,
  { slug, readNext }: Article,
  { articles, texts, links, pages }: Site,
): Advice[] {
  const slugs = new Map(texts.map((text) => [text.file, text.slug]));
  const leads = new Set(articles.flatMap((one) => one.readNext.map((to) => `${one.slug} ${to}`)));
  for (const { file: from, href } of links) {
    const to = /^\/([^/?#]+)/.exec(href)?.[1];
    if (slugs.has(from) && to) leads.add(`${slugs.get(from)} ${to}`);
  }
  const others = articles.map((one) => one.slug).filter((one) => one !== slug);
  const enough = Math.min(2, others.length);
  const out = others.filter((other) => leads.has(`${slug} ${other}`) || readNext.includes(other));
  const back = others.filter((other) => leads.has(`${other} ${slug}`));
  const count = (found: string[]) => (found.length === 0 ? "none" : `only ${found.length}`);
  return [
    ...(out.length < enough
      ? [{ message: `of the other articles, ${count(out)} is linked from here` }]
      : []),
    ...(back.length < enough
      ? [{ message: `of the other articles, ${count(back)} links to this one` }]
      : []),
    ...links
      .filter((link) => link.file === file)
      .flatMap((link) => adviceOnLink(link, slug, pages)),
  ];
}

function adviceOnLink(
  { line, href }: Site["links"][number],
  slug: string,
  pages: Site["pages"],
): Advice[] {
  if (href.startsWith("http://")) {
    return [{ line, message: `links to ${href}, which is not https` }];
  }
  const [path, anchor] = href.split("#") as [string, string | undefined];
  const page = pages.get(path || `/${slug}`);
  return anchor && page && !page.html.includes(`id="${anchor}"`)
    ? [{ line, message: `links to ${href}, a heading that does not exist` }]
    : [];
}
