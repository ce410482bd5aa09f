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
  const clean = (value: unknown, path: string, name: string, depth: number): unknown => {
    if (typeof value === "string" && !asTheyAre.has(name)) {
      const { text, removed } = cleanedText(value, paragraphs.has(name));
      if (removed.length > 0) cleaned.push(`${path}: removed ${removed.join(", ")}`);
      return text;
    }
    if (typeof value !== "object" || value === null || depth > maxDepth) return value;
    if (Array.isArray(value)) {
      return value.map((one, index) => clean(one, `${path}[${index}]`, name, depth + 1));
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        clean(one, path === "" ? key : `${path}.${key}`, key, depth + 1),
      ]),
    );
  };
  return { value: clean(json, "", "", 0), cleaned };
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
