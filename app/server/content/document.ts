import type * as z from "zod/mini";
import { once } from "../system/once.ts";
import type { FileError } from "./content-error.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { fillSlug, fillText, metSentences, type PlaceholderValues } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** A Markdown file with YAML front matter between two lines of `---`. */
export interface Document<Front> {
  frontMatter: Front;
  /** Markdown. */
  body: string;
  /** Number of lines of the file before the body. */
  linesBefore: number;
  /** Renders the body at the first call. */
  rendered: () => Rendered;
}

export interface Link {
  file: string;
  line: number;
  href: string;
}

/** What the readers of content have found so far. */
export interface Found {
  /** Links, whose targets are checked once all pages are known. */
  links: Link[];
  errors: FileError[];
  warnings: FileError[];
}

export const noFrontMatter = "must begin with front matter between two lines of ---";

/** Returns the front matter and the body of a document, neither of them parsed; undefined without front matter. */
export function splitDocument(text: string): { yaml: string; body: string } | undefined {
  const parts = /^---\n([\s\S]*?\n)---(?:\n([\s\S]*))?$/.exec(
    text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"),
  );
  return parts ? { yaml: parts[1]!, body: parts[2] ?? "" } : undefined;
}

/** Returns the line on which a key of the front matter is set, counted from 1; 0 if the key is not set. */
export const lineOfKey = (source: string, key: string): number =>
  source.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 1;

/** Parses the front matter of a document; if it has errors, adds each and returns undefined. */
export function readDocument<Front>(
  { file, source }: { file: string; source: string },
  schema: z.ZodMiniType<Front>,
  values: PlaceholderValues,
  { errors }: Found,
): Document<Front> | undefined {
  const parts = splitDocument(source);
  if (!parts) {
    errors.push({ file, line: 1, message: noFrontMatter });
    return undefined;
  }
  const { yaml, body } = parts;
  const fill = (value: string, key: string) =>
    key === "slug" || key === "readNext"
      ? fillSlug(value, values)
      : metSentences(fillText(value, values), values);
  const result = readYaml(yaml, schema, { file, fill, firstLine: 2 });
  if ("errors" in result) {
    errors.push(...result.errors);
    return undefined;
  }
  const renderBody = () => renderMarkdown(body, values);
  // The YAML's lines and two lines of ---. The YAML ends with a line break, so `split` returns one line too many.
  const linesBefore = yaml.split("\n").length + 1;
  return { frontMatter: result.value, body, linesBefore, rendered: once(renderBody) };
}

/** Renders a document, and adds its links and every error in its text. */
export function checkText(
  file: string,
  { linesBefore, rendered }: Document<unknown>,
  found: Found,
): void {
  try {
    const { links, errors } = rendered();
    found.links.push(...links.map(({ href, line }) => ({ file, href, line: line + linesBefore })));
    found.errors.push(
      ...errors.map(({ message, line }) => ({ file, message, line: line + linesBefore })),
    );
  } catch (error) {
    // Too many nested quotes or lists overflow the stack, which is a RangeError.
    if (!(error instanceof RangeError)) throw error;
    found.errors.push({ file, message: "is nested too deeply" });
  }
}
