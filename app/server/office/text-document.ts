import type { Token, Tokens } from "marked";
import { escapeXml } from "../../domain/xml.ts";
import { officeFile } from "./office-file.ts";

const namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Returns a .docx file of one section on A4. Links become their text. */
export function textDocument(title: string, blocks: Token[], footnote: string): Buffer {
  const lists: Tokens.List[] = [];
  const body = blocks.map((block) => blockXml(block, lists)).join("");
  const part = (name: string, xml: string) => ({
    name: `word/${name}.xml`,
    type: `wordprocessingml.${name}`,
    xml,
  });
  const xml = `<w:document xmlns:w="${namespace}"><w:body>${paragraph("Title", run(title))}${body}${paragraph("Source", run(footnote))}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1020" w:right="1134" w:bottom="1020" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`;
  return officeFile(
    title,
    { name: "word/document.xml", type: "wordprocessingml.document.main", xml },
    [part("styles", styles), part("numbering", numbering(lists))],
  );
}

function blockXml(block: Token, lists: Tokens.List[]): string {
  switch (block.type) {
    case "heading":
      return paragraph(`Heading${Math.min(block.depth as number, 2)}`, inline(block.tokens));
    case "paragraph":
      return paragraph("Normal", inline(block.tokens));
    case "blockquote":
      return (block.tokens ?? [])
        .map((inner) => paragraph("Quote", inline("tokens" in inner ? inner.tokens : [])))
        .join("");
    case "list": {
      const list = block as Tokens.List;
      lists.push(list);
      const number = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${lists.length}"/></w:numPr>`;
      return list.items
        .map(({ tokens }) => paragraph("ListParagraph", inline(tokens), number))
        .join("");
    }
    case "space":
      return "";
    default:
      throw new Error(`${block.type}: has no form in a Word file`);
  }
}

const paragraph = (style: string, runs: string, properties = "") =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${properties}</w:pPr>${runs}</w:p>`;

const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;

function inline(tokens: Token[] = [], properties = ""): string {
  return tokens
    .map((token) => {
      if (token.type === "strong") return inline(token.tokens, `${properties}<w:b/>`);
      if (token.type === "em") return inline(token.tokens, `${properties}<w:i/>`);
      if ("tokens" in token && token.tokens) return inline(token.tokens, properties);
      return run("text" in token ? String(token.text).replace(/\n/g, " ") : "", properties);
    })
    .join("");
}

/** Each list has a numbering of its own, so that it starts at its own number. */
function numbering(lists: Tokens.List[]): string {
  const level = (id: number, format: string, text: string) =>
    `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="425" w:hanging="425"/></w:pPr></w:lvl></w:abstractNum>`;
  const numbers = lists.map(({ ordered, start }, index) => {
    const first = `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="${start || 1}"/></w:lvlOverride>`;
    return `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${ordered ? 1 : 0}"/>${ordered ? first : ""}</w:num>`;
  });
  return `<w:numbering xmlns:w="${namespace}">${level(0, "bullet", "•")}${level(1, "decimal", "%1.")}${numbers.join("")}</w:numbering>`;
}

const style = (id: string, name: string, paragraphProperties: string, runProperties: string) =>
  `<w:style w:type="paragraph" ${id === "Normal" ? 'w:default="1" ' : ""}w:styleId="${id}"><w:name w:val="${name}"/>${id === "Normal" ? "" : '<w:basedOn w:val="Normal"/>'}<w:qFormat/><w:pPr>${paragraphProperties}</w:pPr><w:rPr>${runProperties}</w:rPr></w:style>`;

const bold = (halfPoints: number) => `<w:b/><w:sz w:val="${halfPoints}"/>`;

const styles = `<w:styles xmlns:w="${namespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:lang w:val="en-ZA"/></w:rPr></w:rPrDefault></w:docDefaults>${[
  style("Normal", "Normal", '<w:spacing w:after="100" w:line="259" w:lineRule="auto"/>', ""),
  style("Title", "Title", '<w:spacing w:after="120"/>', bold(34)),
  style(
    "Heading1",
    "heading 1",
    '<w:keepNext/><w:spacing w:before="200" w:after="60"/><w:outlineLvl w:val="0"/>',
    bold(28),
  ),
  style(
    "Heading2",
    "heading 2",
    '<w:keepNext/><w:spacing w:before="180" w:after="60"/><w:outlineLvl w:val="1"/>',
    bold(25),
  ),
  style("Quote", "Quote", "", ""),
  style("ListParagraph", "List Paragraph", '<w:spacing w:after="50"/>', ""),
  style(
    "Source",
    "Source",
    '<w:spacing w:before="160" w:after="0"/>',
    '<w:color w:val="555555"/><w:sz w:val="18"/>',
  ),
].join("")}</w:styles>`;
