import { readFileSync } from "node:fs";
import path from "node:path";

export interface Import {
  file: string;
  /** The path of a project's file from the root, or a package's name. */
  target: string;
  isTypeOnly: boolean;
}

/** The imports of a source file, static ones and those at run time. */
export function importsIn(root: string, file: string): Import[] {
  const text = readFileSync(path.join(root, file), "utf8");
  const found = text.matchAll(
    /(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|import\(?\s*"([^"]+)"/g,
  );
  return [...found].map(([, type, from, alone]) => ({
    file,
    target: resolve(file, (from ?? alone)!),
    isTypeOnly: Boolean(type),
  }));
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith("#db/")) return specifier.replace("#db/", "db/");
  if (specifier.startsWith("#server/")) return specifier.replace("#server/", "app/server/");
  return specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : specifier;
}
