const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const characters = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Escapes text for the content and the attribute values of XML and HTML. */
export const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character]!);

/** The counterpart of `escapeXml`; other entities stay. */
export const unescapeXml = (xml: string) =>
  xml.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);

/** Decodes the entities of a document that cannot define its own, because no DTD is read. */
export const decodeXml = (text: string) =>
  unescapeXml(
    text
      .replaceAll("&apos;", "'")
      .replace(/&#(x?)([\da-f]{1,5});/gi, (_, hex, digits) =>
        String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
      ),
  );
