import type * as z from "zod/mini";
import type { ContentFault } from "./content-error.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { type Fillings, fillText } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** A Markdown file that begins with a front matter of YAML between two lines of three hyphens. */
export type Document<Front> = { front: Front } & Rendered;

/** Reads a document; every line number it tells is the file's. */
export function readDocument<Front>(
  file: string,
  text: string,
  rule: z.ZodMiniType<Front>,
  fillings: Fillings,
): { document: Document<Front> } | { faults: ContentFault[] } {
  const parts = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(
    text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"),
  );
  if (!parts) {
    const message = "must begin with a front matter between two lines of ---";
    return { faults: [{ file, line: 1, message }] };
  }
  const [, yaml, body] = parts as unknown as [string, string, string];
  // The slug is an address, in which the placeholder is the slug.
  const fill = (value: string, key: string) =>
    fillText(value, key === "slug" ? { ...fillings, product: fillings.slug } : fillings);
  const read = readYaml(yaml, rule, file, fill, 2);
  if ("faults" in read) return read;
  const rendered = tryRendering(body, fillings);
  if (!rendered) return { faults: [{ file, message: "is nested too deeply to be read" }] };
  const linesBefore = yaml.split("\n").length + 1;
  const links = rendered.links.map(({ href, line }) => ({ href, line: line + linesBefore }));
  return { document: { front: read.value, ...rendered, links } };
}

function tryRendering(body: string, fillings: Fillings): Rendered | undefined {
  try {
    return renderMarkdown(body, fillings);
  } catch (error) {
    // The stack was too small for it.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
