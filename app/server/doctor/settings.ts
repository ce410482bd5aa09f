import type { ParsedSettings } from "../config/settings.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export function checkSettings(
  { given, errors, warnings }: ParsedSettings,
  file: string | undefined,
): Finding[] {
  const ignored = warnings.map((warning) =>
    warn("settings", warning.replace(/\.$/, ""), "delete it"),
  );
  if (errors.length === 0) {
    const source = file === undefined ? "" : `, with ${file}`;
    return [...ignored, ok("settings", `${given.size} set${source}, defaults for the rest`)];
  }
  const wrong = errors.map((error) =>
    fail(
      "settings",
      error.replace(/\.$/, ""),
      "correct it; `config show` prints each setting and its source",
    ),
  );
  return [...ignored, ...wrong];
}
