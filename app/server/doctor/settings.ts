import type { Gathered } from "../config/sources.ts";
import { type Finding, fail, ok } from "./finding.ts";

export function checkSettings({ given, faults }: Gathered, file: string | undefined): Finding[] {
  if (faults.length === 0) {
    const place = file === undefined ? "" : `, with ${file}`;
    return [ok("settings", `${given.size} set${place}, defaults for the rest`)];
  }
  return faults.map((fault) =>
    fail(
      "settings",
      fault.replace(/\.$/, ""),
      "put it right; `config show` tells what is set where",
    ),
  );
}
