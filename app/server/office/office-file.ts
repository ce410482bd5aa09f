/** What Word and Excel files have in common (ECMA-376). */
import { escapeXml } from "../../domain/xml.ts";
import { zip } from "./zip.ts";

interface Part {
  /** Path in the file, such as "word/document.xml". */
  name: string;
  /** Without the common prefix of content types. */
  type: string;
  /** XML without its declaration. */
  xml: string;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const prefix = "application/vnd.openxmlformats-officedocument.";
export const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/**
 * Returns the file.
 * @param main the part that programs open first
 * @param others in the folder of `main`, which refers to them as rId1, rId2 …
 */
export function officeFile(title: string, main: Part, others: Part[]): Buffer {
  const core = "docProps/core.xml";
  const all = [main, ...others];
  const types = all
    .map(({ name, type }) => `<Override PartName="/${name}" ContentType="${prefix}${type}+xml"/>`)
    .join("");
  const folder = main.name.replace(/[^/]+$/, "");
  const list = (targets: [type: string, target: string][]) =>
    `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map(
        ([type, target], index) =>
          `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`,
      )
      .join("")}</Relationships>`;
  const kindOf = ({ type }: Part) => `${relationships}/${/([a-z]+)$/.exec(type)![1]}`;
  const coreType = "http://schemas.openxmlformats.org/package/2006/relationships/metadata";
  return zip(
    new Map([
      [
        "[Content_Types].xml",
        `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types}<Override PartName="/${core}" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
      ],
      [
        "_rels/.rels",
        list([
          [`${relationships}/officeDocument`, main.name],
          [`${coreType}/core-properties`, core],
        ]),
      ],
      [
        core,
        `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:language>en-ZA</dc:language></cp:coreProperties>`,
      ],
      ...all.map(({ name, xml }): [string, string] => [name, declaration + xml]),
      [
        main.name.replace(/([^/]+)$/, "_rels/$1.rels"),
        list(others.map((part) => [kindOf(part), part.name.slice(folder.length)])),
      ],
    ]),
  );
}
