import type * as z from "zod/mini";
import { once } from "../system/once.ts";
import type { FileError } from "./content-error.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { fillSlug, fillText, type PlaceholderValues } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** A Markdown file with YAML front matter between two lines of `---`. */
export interface Document<Front> {
  frontMatter: Front;
  /** Markdown. */
  body: string;
  /** Lines of the file before the body. */
  linesBefore: number;
  /** Renders the body at the first call. */
  rendered: () => Rendered;
}

/** A link of a file, with its line. */
export interface Link {
  file: string;
  line: number;
  href: string;
}

/** Returns the front matter and the body of a document, neither of them parsed. */
export function splitDocument(
  file: string,
  text: string,
): { yaml: string; body: string } | { errors: FileError[] } {
  const parts = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(
    text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"),
  );
  if (parts) return { yaml: parts[1]!, body: parts[2]! };
  const message = "must begin with front matter between two lines of ---";
  return { errors: [{ file, line: 1, message }] };
}

/** Returns the line on which a key of the front matter is set, counted from 1; 0 if the key is not set. */
export const lineOfKey = (source: string, key: string): number =>
  source.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 1;

/** Parses the front matter of a document, and returns the document or every error in the front matter. */
export function readDocument<Front>(
  file: string,
  text: string,
  schema: z.ZodMiniType<Front>,
  values: PlaceholderValues,
): { document: Document<Front> } | { errors: FileError[] } {
  const parts = splitDocument(file, text);
  if ("errors" in parts) return parts;
  const { yaml, body } = parts;
  const fill = (value: string, key: string) =>
    key === "slug" || key === "readNext" ? fillSlug(value, values) : fillText(value, values);
  const result = readYaml(yaml, schema, { file, fill, firstLine: 2 });
  if ("errors" in result) return result;
  const rendered = once(() => renderMarkdown(body, values));
  const linesBefore = yaml.split("\n").length + 1;
  return { document: { frontMatter: result.value, body, linesBefore, rendered } };
}

/** Renders a document, and returns its links and every error in its text. */
export function checkText(
  file: string,
  { linesBefore, rendered }: Document<unknown>,
): { links: Link[]; errors: FileError[] } {
  try {
    const { links, errors } = rendered();
    return {
      links: links.map(({ href, line }) => ({ file, href, line: line + linesBefore })),
      errors: errors.map(({ message, line }) => ({ file, message, line: line + linesBefore })),
    };
  } catch (error) {
    // Too many nested quotes or lists overflow the stack, which is a RangeError.
    if (!(error instanceof RangeError)) throw error;
    return { links: [], errors: [{ file, message: "is nested too deeply" }] };
  }
}
