const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for XML content and attribute values. */
export const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character]!);
