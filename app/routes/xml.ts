const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text as it may stand in XML, between tags and in attributes. */
export const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => entities[character]!);
