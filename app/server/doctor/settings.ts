import type { ParsedSettings } from "../config/settings.ts";
import { type Finding, fail, ok } from "./finding.ts";

export function checkSettings(
  { given, errors }: ParsedSettings,
  file: string | undefined,
): Finding[] {
  if (errors.length === 0) {
    const source = file === undefined ? "" : `, with ${file}`;
    return [ok("settings", `${given.size} set${source}, defaults for the rest`)];
  }
  return errors.map((error) =>
    fail(
      "settings",
      error.replace(/\.$/, ""),
      "correct it; `config show` prints each setting and its source",
    ),
  );
}
