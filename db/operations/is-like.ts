import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Whether a text consists of these parts, in order, with anything between them. Give both in lower case: SQLite ignores
 * case in ASCII, PostgreSQL does not.
 */
export const isLike = (text: SQLWrapper, ...parts: string[]): SQL =>
  sql`${text} LIKE ${parts.map(literal).join("%")} ESCAPE '\\'`;

const literal = (part: string) => part.replace(/[\\%_]/g, "\\$&");
