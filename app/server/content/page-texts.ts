/** Reads the words of the pages that are made of named sections: content/pages/home.md and others. */
import * as z from "zod/mini";
import { nonEmptyText as text } from "../../domain/article.ts";
import {
  type PageTexts,
  type Passage,
  pageSections,
  type TextPageName,
  type TextSection,
} from "../../domain/page-text.ts";
import { once } from "../system/once.ts";
import { builtInFiles, type ContentFiles } from "./built-in-files.ts";
import { checkText, type Found, readDocument, splitDocument } from "./document.ts";
import { renderMarkdown } from "./markdown.ts";
import {
  fillText,
  hasEmptyValue,
  type PlaceholderValues,
  withoutUnmetParts,
} from "./placeholders.ts";

/** A description may be empty, if no condition in it is met. */
const schema = z.strictObject({ title: text, description: z.string("must be text") });

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
 * Returns the texts of all pages, each rendered on first use. A section that an institution's file lacks is the
 * built-in one, because a later release may have added it. A section that the page does not have is ignored.
 * @param isOwn whether a file is the institution's own, so that its sections, links and errors are checked now
 */
export function readPageTexts(
  files: ContentFiles,
  values: PlaceholderValues,
  isOwn: (file: string) => boolean,
  found: Found,
): PageTexts {
  const pages: Partial<Record<TextPageName, object>> = {};
  for (const name of Object.keys(pageSections) as TextPageName[]) {
    const file = `pages/${name}.md`;
    const document = readDocument({ file, source: files.get(file)! }, schema, values, found);
    if (!document) continue;
    const { frontMatter, body, linesBefore } = document;
    const sources = once(() => sourcesIn(body, values));
    const sections = once(() =>
      renderSections(
        isOwn(file) ? [...builtInSources(file, values), ...sources()] : sources(),
        values,
      ),
    );
    pages[name] = {
      ...frontMatter,
      get sections() {
        return sections();
      },
    };
    if (!isOwn(file)) continue;
    checkText(file, document, found);
    const builtIn = builtInSources(file, values);
    checkNames({ sources: sources(), builtIn }, { file, page: name, linesBefore }, found);
  }
  // A page is missing only after an error, and readContent throws then.
  return pages as unknown as PageTexts;
}

const builtInSources = (file: string, values: PlaceholderValues): Source[] =>
  sourcesIn(splitDocument(builtInFiles.get(file)!)!.body, values);

function sourcesIn(body: string, values: PlaceholderValues): Source[] {
  const sources: Source[] = [];
  withoutUnmetParts(body, values)
    .split("\n")
    .forEach((text, index) => {
      const heading = /^## +(.*?)(?: *\{#([\w-]+)\})?\s*$/.exec(text);
      if (heading) {
        const [, title, name] = heading;
        sources.push({ title: title!, name, line: index + 1, body: "" });
      } else if (sources.length > 0) sources.at(-1)!.body += `${text}\n`;
    });
  return sources;
}

/** Reports headings without a name or with another heading's name; warns of sections that are unknown or missing. */
function checkNames(
  { sources, builtIn }: { sources: Source[]; builtIn: Source[] },
  { file, page, linesBefore }: { file: string; page: TextPageName; linesBefore: number },
  { errors, warnings }: Found,
): void {
  const known: readonly string[] = pageSections[page];
  const names = sources.map(({ name }) => name);
  for (const [index, { name, line }] of sources.entries()) {
    const at = { file, line: line + linesBefore };
    if (name === undefined) errors.push({ ...at, message: "the heading must end with {#name}" });
    else if (!known.includes(name)) {
      const list = known.map((one) => `{#${one}}`).join(", ");
      warnings.push({ ...at, message: `{#${name}} is none of ${list}; it is left out` });
    } else if (names.indexOf(name) !== index) {
      errors.push({ ...at, message: `{#${name}} is there twice` });
    }
  }
  for (const { name } of builtIn.filter(({ name }) => !names.includes(name))) {
    warnings.push({ file, message: `{#${name}} is missing; the built-in section is served` });
  }
}

const renderSections = (sources: Source[], values: PlaceholderValues) =>
  Object.fromEntries(
    sources.map(({ name, title, body }) => {
      const [intro, ...items] = body.split(/^(?=### )/m);
      const section: TextSection = {
        ...renderPassage(title, intro!, values),
        items: items.flatMap((item, place) => renderItem(item, place, values)),
      };
      return [name, section];
    }),
  );

/** Renders an item of a section; an item without a title or text is left out. */
function renderItem(item: string, place: number, values: PlaceholderValues): TextSection["items"] {
  const [, title, text] = /^### +(.*)\n([\s\S]*)$/.exec(item)!;
  if (hasEmptyValue(fillText(title!, values))) return [];
  const passage = renderPassage(title!, text!, values);
  return passage.html === "" ? [] : [{ place, ...passage }];
}

function renderPassage(title: string, text: string, values: PlaceholderValues): Passage {
  const render = (markdown: string) =>
    markdown.trim() && renderMarkdown(markdown, values).html.trim();
  const { html = [], note = [] } = Object.groupBy(text.split("\n"), (line) =>
    line.startsWith(">") ? "note" : "html",
  );
  return {
    title: render(title).replace(/^<p>(.*)<\/p>$/s, "$1"),
    html: render(html.join("\n")),
    note: render(note.map((line) => line.replace(/^> ?/, "")).join("\n")),
  };
}
