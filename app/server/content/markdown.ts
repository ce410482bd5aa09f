import { Marked, type RendererObject, type Token, type Tokens } from "marked";
import { decodeXml, escapeXml } from "../../domain/xml.ts";
import {
  fillMarkdown,
  hasEmptyValue,
  type PlaceholderValues,
  skippedLine,
} from "./placeholders.ts";
import { renderPlot } from "./plot.ts";

export interface Rendered {
  html: string;
  /** Second-level headings, for a table of contents. */
  contents: { id: string; text: string }[];
  /** Link targets, each with its line in the text. */
  links: { href: string; line: number }[];
  /** Mistakes in plots, each with its line in the text. */
  errors: { message: string; line: number }[];
  /** Whether a paragraph begins with `_Note, `. */
  hasDatedNotes: boolean;
}

/**
 * Renders Markdown to HTML. Raw HTML is shown as text, because an institution's own files are not trusted with scripts.
 * Paragraphs, headings, list items and rows of tables with an empty placeholder are left out. A fenced block "plot"
 * becomes a drawing (plot.ts), a paragraph that begins with `_Note, ` is set apart, and the words of `*rubrica*{la}`
 * are in Latin.
 */
export function renderMarkdown(text: string, values: PlaceholderValues): Rendered {
  const lines = fillMarkdown(text, values);
  const markdown = lines.join("\n");
  const found: Omit<Rendered, "html"> = {
    contents: [],
    links: [],
    errors: [],
    hasDatedNotes: false,
  };
  const lineOf = (raw: string) => lineAt(lines, markdown.indexOf(raw));
  let lastLink = 0;
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === "link") {
        // Search from the previous link on, because the same link may occur twice. A link that spans two lines of a
        // quote is not found, and gets the line of the previous link.
        const position = markdown.indexOf(token.raw, lastLink);
        if (position !== -1) lastLink = position + 1;
        found.links.push({ href: token.href, line: lineAt(lines, lastLink) });
      }
      if (token.type === "list") {
        const list = token as Tokens.List;
        // Ignore lists inside an item: each leaves out its own items.
        list.items = list.items.filter(
          ({ tokens }) => !tokens.some(({ type, raw }) => type !== "list" && hasEmptyValue(raw)),
        );
      }
    },
    renderer: rendererInto(found, lineOf),
  });
  const html = marked
    .parse(markdown, { async: false })
    // Keep the spelling with a hyphen on one line, but leave attributes of tags alone.
    .replace(/\be-mails?\b(?![^<]*>)/gi, '<span class="whole">$&</span>')
    .replace(/<em>([^<]*)<\/em>\{(\w{2,3})\}/g, '<i lang="$2">$1</i>')
    .replace(/<(ul|ol)>\s*<\/\1>\n?/g, "")
    .replaceAll(`\n${skippedLine}`, "")
    .replaceAll(skippedLine, "");
  return { html, ...found };
}

/** Returns the number, from 1, of the line that contains a position of the joined text. A line may contain “\n”. */
function lineAt(lines: string[], position: number): number {
  let end = 0;
  const index = lines.findIndex((line) => {
    end += line.length + 1;
    return position < end;
  });
  return index + 1;
}

/** Returns a renderer that records headings, dated notes and errors in `found`. */
function rendererInto(
  found: Omit<Rendered, "html">,
  lineOf: (raw: string) => number,
): RendererObject {
  const ids = new Map<string, number>();
  let tables = 0;
  let lastHeading = "";
  return {
    code({ lang, text, raw }) {
      if (lang !== "plot") return preformatted(text);
      const plot = renderPlot(text);
      if ("html" in plot) return plot.html;
      found.errors.push(
        ...plot.errors.map(({ line = 1, message }) => ({ message, line: lineOf(raw) + line })),
      );
      return "";
    },
    html: ({ text }) => escapeXml(text),
    image: ({ text }) => escapeXml(text),
    paragraph({ raw, tokens }) {
      if (hasEmptyValue(raw) || raw.replaceAll(skippedLine, "").trim() === "") return "";
      if (/^_Note, /.test(raw)) {
        found.hasDatedNotes = true;
        return `<p class="dated-note">${this.parser.parseInline(tokens)}</p>\n`;
      }
      if (tokens.length !== 1 || tokens[0]!.type !== "link") return false;
      const link = this.parser.parseInline(tokens);
      return `<p>${link.replace("<a ", '<a class="standalone-link" ')}</p>\n`;
    },
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      if (hasEmptyValue(inner)) return "";
      const plain = decodeXml(inner.replace(/<[^>]*>/g, ""));
      const id = uniqueId(plain, ids);
      if (depth === 2) found.contents.push({ id, text: plain });
      lastHeading = plain;
      return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      // Other schemes, such as javascript:, are not linked.
      return /^(\/|#|https?:|mailto:)/.test(href)
        ? `<a href="${escapeXml(href)}">${inner}</a>`
        : inner;
    },
    table(table) {
      tables += 1;
      const inline = (tokens: Token[]) => this.parser.parseInline(tokens);
      return tableHtml(table, inline, { number: tables, heading: lastHeading });
    },
  };
}

/** Renders a code block. Long formulas may break at their operators; text copied from a page has no breaks there. */
const preformatted = (text: string) =>
  `<pre class="sheet"><code>${escapeXml(text).replace(/[(,/+]/g, "$&<wbr>")}\n</code></pre>\n`;

/** Renders a table, labelled by the heading above the table, in a scrolling frame, labelled by a number. */
function tableHtml(
  { header, rows }: Tokens.Table,
  inline: (tokens: Token[]) => string,
  { number, heading }: { number: number; heading: string },
): string {
  const label = heading && ` aria-label="${escapeXml(heading)}"`;
  const row = (cells: Tokens.TableCell[], open: string, close: string) =>
    `<tr>${cells
      .map(({ tokens, text }) =>
        // An empty cell must not be a header: screen readers would announce it.
        text.trim() === "" || hasEmptyValue(text)
          ? "<td></td>"
          : `<${open}>${inline(tokens)}</${close}>`,
      )
      .join("")}</tr>`;
  const head = row(header, 'th scope="col"', "th");
  const body = rows
    .filter((cells) => !cells.some(({ text }) => text === skippedLine || hasEmptyValue(text)))
    .map((cells) => row(cells, "td", "td"))
    .join("");
  return `<section class="table-frame" tabindex="0" aria-label="Table ${number}"><table${label}><thead>${head}</thead><tbody>${body}</tbody></table></section>\n`;
}

/** The approximate number of words of a Markdown text; fenced blocks, such as plots, do not count. */
export const wordsIn = (markdown: string): number =>
  markdown
    .replace(/^```.*?^```/gms, " ")
    .replace(/\]\([^)]*\)/g, "]")
    .split(/[\s|]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Returns the text of rendered Markdown, on one line; a heading ends as a sentence does. */
export const textOfHtml = (html: string) =>
  decodeXml(
    html
      .replace(/<\/?(?:a|code|em|strong|span|wbr)\b[^>]*>/g, "")
      .replace(/([^.?!])<\/h\d>/g, "$1. ")
      .replace(/<[^>]*>/g, " "),
  )
    .replace(/\s+/g, " ")
    .trim();

/** Returns an id for a heading. @param ids in use, each with the last number appended to it; the new id is added */
function uniqueId(text: string, ids: Map<string, number>): string {
  const first =
    text
      .toLowerCase()
      .replace(/[’']/g, "")
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "") || "section";
  let uses = ids.get(first) ?? 0;
  let id: string;
  do {
    uses += 1;
    id = uses === 1 ? first : `${first}-${uses}`;
    // Another heading may have this id: "Step 2" before the second of two headings "Step".
  } while (ids.has(id));
  ids.set(first, uses);
  if (id !== first) ids.set(id, 1);
  return id;
}
