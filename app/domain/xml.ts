const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const characters: Record<string, string> = {
  ...Object.fromEntries(Object.entries(entities).map(([character, entity]) => [entity, character])),
  "&apos;": "'",
};

/** Escapes text for the content and the attribute values of XML and HTML. */
export const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Decodes each entity of a document once. The document cannot define its own, because no DTD is read. */
export const decodeXml = (text: string) =>
  text.replace(
    /&(?:#x([\da-fA-F]{1,5})|#(\d{1,6})|amp|lt|gt|quot|apos);/g,
    (entity, hex, decimal) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return characters[entity]!;
    },
  );
