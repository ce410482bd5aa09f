import type * as z from "zod/mini";
import type { brandSchema } from "./domain/brand-file.ts";

/**
 * Everything that an institution may change to run the service under its own name:
 * content/brand.yaml with the name filled in. Components get it through the root loader. An empty
 * text or list hides the block that shows it.
 */
export type Brand = z.infer<typeof brandSchema> & {
  name: string;
  /** The name as used in URLs: lower case, hyphens. */
  slug: string;
  /** Whether this is the demonstration, served until an institution states a brand of its own. */
  isBuiltIn: boolean;
};

export type ClaimName = keyof Brand["claims"];

/** A figure that the institution claims, with its basis. */
export type Claim = Brand["claims"][ClaimName];

export const defaultName = "Rubricon";

/** Names that are the same for every brand: the command, the prefix of its settings and the database file. */
export const program = {
  command: "rubricon",
  settingPrefix: "RUBRICON_",
  databaseFile: "rubricon.db",
};
