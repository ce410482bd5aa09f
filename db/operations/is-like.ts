import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Whether a text consists of these parts, in order, with anything between them. Pass text and parts in lower case: LIKE
 * ignores the case of ASCII characters in SQLite only.
 */
export const isLike = (text: SQLWrapper, ...parts: string[]): SQL =>
  sql`${text} LIKE ${parts.map(literal).join("%")} ESCAPE '\\'`;

const literal = (part: string) => part.replace(/[\\%_]/g, "\\$&");
