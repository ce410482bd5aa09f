import type * as z from "zod/mini";
import type { FileError } from "./content-error.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { fillSlug, fillText, type PlaceholderValues } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** A Markdown file with YAML front matter between two lines of `---`. */
export type Document<Front> = { frontMatter: Front; body: string } & Rendered;

/** Returns the front matter and the text of a document, neither of them parsed. */
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

/** Returns the line on which a key of the front matter is set, counted from 1. */
export const lineOfKey = (source: string, key: string): number =>
  source.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 1;

/** Parses a document. All line numbers it returns refer to the file. */
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
  const result = readYaml(yaml, schema, file, fill, 2);
  if ("errors" in result) return result;
  const rendered = tryRendering(body, values);
  if (!rendered) return { errors: [{ file, message: "is nested too deeply" }] };
  const linesBefore = yaml.split("\n").length + 1;
  if (rendered.errors.length > 0) {
    const errors = rendered.errors.map(({ message, line }) => ({
      message,
      line: line + linesBefore,
    }));
    return { errors: errors.map((error) => ({ file, ...error })) };
  }
  const links = rendered.links.map(({ href, line }) => ({ href, line: line + linesBefore }));
  return { document: { frontMatter: result.value, ...rendered, links, body } };
}

function tryRendering(body: string, values: PlaceholderValues): Rendered | undefined {
  try {
    return renderMarkdown(body, values);
  } catch (error) {
    // Stack overflow: too many nested quotes or lists.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
