import guide from "../../../docs/marking.md?raw";
import { renderMarkdown } from "./markdown.ts";
import type { PlaceholderValues } from "./placeholders.ts";

/** Returns the parts of docs/marking.md for people without a shell, as HTML. */
export function markingGuide(values: PlaceholderValues): string {
  const [, parts] = guide.split(/^(?=## For markers$)/m);
  // Links lead to documents that the site does not serve, so each becomes its words.
  return renderMarkdown(parts!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"), values).html;
}
