/** Takes invisible and control characters out of the texts of a results file, and line breaks out of single lines. */
import { controls, withoutInvisible } from "../domain/characters.ts";

/** Fields whose texts may have several lines. */
const paragraphs = new Set(["feedback", "memo"]);
/** Fields that are compared with stored names, keys or numbers, so they are not cleaned. */
const asTheyAre = new Set(["fileName", "key", "learnerNumber"]);

/** The depth of nesting to which texts are cleaned; no text of a valid results file is deeper. */
const maxDepth = 6;

/** @returns a copy, and a sentence for each text that was cleaned, which begins with its path */
export function cleanedTexts(json: unknown): { value: unknown; cleaned: string[] } {
  const cleaned: string[] = [];
  const clean = (value: unknown, path: PropertyKey[]): unknown => {
    const field = `${path.findLast((key) => typeof key === "string") ?? ""}`;
    if (typeof value === "string" && !asTheyAre.has(field)) {
      const { text, removed } = cleanedText(value, paragraphs.has(field));
      if (removed.length > 0) cleaned.push(`${formatPath(path)}: removed ${removed.join(", ")}`);
      return text;
    }
    if (typeof value !== "object" || value === null || path.length > maxDepth) return value;
    if (Array.isArray(value)) return value.map((one, index) => clean(one, [...path, index]));
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, clean(one, [...path, key])]),
    );
  };
  return { value: clean(json, []), cleaned };
}

/** For example `submissions[3].questionMarks[0]`. */
export function formatPath(path: PropertyKey[]): string {
  const steps = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return steps.join("").replace(/^\./, "") || "the file";
}

/** Returns the text without invisible characters, and the code points that were removed or became a space. */
function cleanedText(before: string, hasLines: boolean): { text: string; removed: string[] } {
  const seen = withoutInvisible(before);
  const text = hasLines
    ? seen.replace(controls, (sign) => (/[\t\r\n]/.test(sign) ? sign : ""))
    : seen.replace(/[\t\r\n]+/g, " ").replace(controls, "");
  if (text === before) return { text, removed: [] };
  const left = Map.groupBy(text, (sign) => sign);
  const removed = [...Map.groupBy(before, (sign) => sign)].filter(
    ([sign, all]) => all.length > (left.get(sign)?.length ?? 0),
  );
  return { text, removed: removed.map(([sign]) => codePoint(sign)) };
}

const codePoint = (sign: string) =>
  `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
