/** Reads the words of the pages that are not whole documents: content/pages/home.md and others. */
import * as z from "zod/mini";
import {
  type PageTexts,
  type Passage,
  pageSections,
  type TextPageName,
  type TextSection,
} from "../../domain/page-text.ts";
import { once } from "../system/once.ts";
import type { ContentFiles } from "./built-in-files.ts";
import type { FileError } from "./content-error.ts";
import { checkText, type Link, readDocument } from "./document.ts";
import { renderMarkdown } from "./markdown.ts";
import { emptyMarker, fillText, type PlaceholderValues } from "./placeholders.ts";

const text = z.string("must be text").check(z.minLength(1, "must not be empty"));

const schema = z.strictObject({ title: text, description: text });

/** The Markdown under a second-level heading; "### " begins an item. */
interface Source {
  title: string;
  /** Undefined if the heading ends without `{#name}`. */
  name: string | undefined;
  /** The line of the heading in the body, counted from 1. */
  line: number;
  body: string;
}

/**
 * Returns the texts of all pages, each rendered on first use.
 * @param isOwn whether to check a file's sections, links and errors now
 */
export function readPageTexts(
  files: ContentFiles,
  values: PlaceholderValues,
  isOwn: (file: string) => boolean,
): { pages: PageTexts; links: Link[]; errors: FileError[] } {
  const pages: Partial<Record<TextPageName, object>> = {};
  const links: Link[] = [];
  const errors: FileError[] = [];
  for (const name of Object.keys(pageSections) as TextPageName[]) {
    const file = `pages/${name}.md`;
    const result = readDocument(file, files.get(file)!, schema, values);
    if ("errors" in result) {
      errors.push(...result.errors);
      continue;
    }
    const { frontMatter, body, linesBefore } = result.document;
    const sections = once(() => renderSections(sourcesIn(body), values));
    pages[name] = {
      ...frontMatter,
      description: withoutEmptySentences(frontMatter.description),
      get sections() {
        return sections();
      },
    };
    if (!isOwn(file)) continue;
    const checked = checkText(file, result.document);
    links.push(...checked.links);
    errors.push(...checked.errors, ...namingErrors(file, sourcesIn(body), name, linesBefore));
  }
  return { pages: pages as unknown as PageTexts, links, errors };
}

/** Leaves out the sentences with an empty placeholder. */
const withoutEmptySentences = (text: string) =>
  text
    .split(/(?<=[.?!]) /)
    .filter((sentence) => !sentence.includes(emptyMarker))
    .join(" ");

function sourcesIn(body: string): Source[] {
  const sources: Source[] = [];
  body.split("\n").forEach((text, index) => {
    const heading = /^## +(.*?)(?: *\{#([\w-]+)\})?\s*$/.exec(text);
    if (heading) {
      const [, title, name] = heading;
      sources.push({ title: title!, name, line: index + 1, body: "" });
    } else if (sources.length > 0) sources.at(-1)!.body += `${text}\n`;
  });
  return sources;
}

/** Names each heading that is none of the page's sections, and each section that is missing. */
function namingErrors(
  file: string,
  sources: Source[],
  page: TextPageName,
  linesBefore: number,
): FileError[] {
  const known: readonly string[] = pageSections[page];
  const names = sources.map(({ name }) => name);
  const wrong = sources.flatMap(({ name, line }, index) => {
    const at = { file, line: line + linesBefore };
    if (name === undefined) return { ...at, message: "the heading must end with {#name}" };
    if (!known.includes(name)) {
      return {
        ...at,
        message: `{#${name}} is none of ${known.map((one) => `{#${one}}`).join(", ")}`,
      };
    }
    return names.indexOf(name) === index ? [] : { ...at, message: `{#${name}} is there twice` };
  });
  const missing = known
    .filter((name) => !names.includes(name))
    .map((name) => ({ file, message: `the section {#${name}} is missing` }));
  return [...wrong, ...missing];
}

const renderSections = (sources: Source[], values: PlaceholderValues) =>
  Object.fromEntries(
    sources.map(({ name, title, body }) => {
      const [intro, ...items] = body.split(/^(?=### )/m);
      const section: TextSection = {
        ...renderPassage(title, intro!, values),
        items: items
          .map((item, place) => ({ place, parts: /^### +(.*)\n([\s\S]*)$/.exec(item)! }))
          .filter(({ parts: [, title] }) => !isEmpty(title!, values))
          .map(({ place, parts: [, title, text] }) => ({
            place,
            ...renderPassage(title!, text!, values),
          }))
          .filter(({ html }) => html !== ""),
      };
      return [name, section];
    }),
  );

const isEmpty = (title: string, values: PlaceholderValues) =>
  fillText(title, values).includes(emptyMarker);

function renderPassage(title: string, text: string, values: PlaceholderValues): Passage {
  const lines = text.split("\n");
  const render = (markdown: string) => renderMarkdown(markdown, values).html.trim();
  return {
    title: render(title).replace(/^<p>(.*)<\/p>$/s, "$1"),
    html: render(lines.filter((line) => !line.startsWith(">")).join("\n")),
    note: render(
      lines
        .filter((line) => line.startsWith(">"))
        .map((line) => line.replace(/^> ?/, ""))
        .join("\n"),
    ),
  };
}
