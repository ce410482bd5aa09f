import type { Rule } from "./rules.ts";

export interface Setting {
  description: string;
  rule: Rule;
  /** Default value, as written in a settings file. */
  default?: string;
  /** Describes the default if no value expresses it. */
  defaultDescription?: string;
  /** The allowed values, if they are few. */
  choices?: string[];
  /** Kind of the value, for shell completion. */
  valueKind?: "folder";
  /** True for PORT, which hosting platforms set without our prefix. */
  acceptsUnprefixed?: true;
  /** Never printed; may be read from a file of its own. */
  isSecret?: true;
}
