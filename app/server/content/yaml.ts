import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, visit } from "yaml";
import * as z from "zod/mini";
import type { FileError } from "./content-error.ts";
import { forbiddenCharacterIn } from "./forbidden-character.ts";

/** A text. Rejects values that YAML reads as a number, a boolean or null. */
export const text = z.string("must be text in quotation marks");

/** The values of the YAML that the build has parsed, by its text: `readYaml` does not parse these again. */
export const parsedAtBuild = new Map<string, unknown>();

/**
 * Parses and validates YAML.
 * @param options.fill applied to each string after parsing, so that no value can break the syntax
 * @param options.firstLine the line of the file on which the text begins
 * @returns the value, or the errors of the first step that finds any, with their lines: the syntax (all errors),
 * aliases and forbidden characters (the first), the schema (all errors).
 */
export function readYaml<Value>(
  text: string,
  schema: z.ZodMiniType<Value>,
  {
    file,
    fill,
    firstLine = 1,
  }: { file: string; fill: (text: string, key: string) => string; firstLine?: number },
): { value: Value } | { errors: FileError[] } {
  if (parsedAtBuild.has(text)) {
    const result = schema.safeParse(fillAll(parsedAtBuild.get(text), fill));
    if (result.success) return { value: result.data };
    // Errors need their lines, which only the parser knows, so an invalid text is parsed again.
  }
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lineOf = (offset: number) => counter.linePos(offset).line + firstLine - 1;
  if (document.errors.length > 0) {
    return {
      errors: document.errors.map(({ pos, message }) => ({
        file,
        line: lineOf(pos[0]),
        message: message.split("\n")[0]!.replace(/ at line.*$/, ""),
      })),
    };
  }
  const rejected = firstRejected(document);
  if (rejected) {
    return { errors: [{ file, line: lineOf(rejected.offset), message: rejected.message }] };
  }
  const result = schema.safeParse(fillAll(document.toJS(), fill), { error: defaultMessageOf });
  if (result.success) return { value: result.data };
  const nameOf = (path: PropertyKey[]) => path.join(".") || (firstLine > 1 && "the front matter");
  return {
    errors: result.error.issues.flatMap((issue) =>
      pathsOf(issue).map((path) => ({
        file,
        line: lineOf(offsetOf(document.contents, path)),
        message: [nameOf(path), issue.message, lostIn(document, path, issue)]
          .filter(Boolean)
          .join(": "),
      })),
    ),
  };
}

/** Says why a text that is not empty in the file is empty once it is filled in; undefined for other issues. */
function lostIn(document: Document, path: PropertyKey[], { code }: z.core.$ZodIssue) {
  const written = code === "too_small" && document.getIn(path);
  if (typeof written !== "string" || written.trim() === "") return undefined;
  return `nothing of “${written}” is left with this brand and these settings`;
}

/** Returns the path of each value that an issue is about: several if a group has several unknown keys. */
const pathsOf = (issue: z.core.$ZodIssue): PropertyKey[][] =>
  issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

const typeNames: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "a group of keys",
};

/** Returns the message of an issue for which the schema has none; undefined for Zod's “Invalid input”. */
function defaultMessageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return "is not a key of this file";
  const name = issue.code === "invalid_type" && typeNames[issue.expected];
  return name ? `must be ${name}` : undefined;
}

/**
 * Returns the first alias or forbidden character; undefined if there is none. A few lines of aliases can expand to
 * gigabytes. A forbidden character can be written as an escape, so the text itself may not show it.
 */
function firstRejected(document: Document): { offset: number; message: string } | undefined {
  let found: { offset: number; message: string } | undefined;
  visit(document, {
    Alias(_key, { range }) {
      const message = "begins with *, which is an alias in YAML; put the value in quotation marks";
      found = { offset: range![0], message };
      return visit.BREAK;
    },
    Scalar(_key, { value, range }) {
      const message = typeof value === "string" && forbiddenCharacterIn(value);
      if (!message) return undefined;
      found = { offset: range![0], message };
      return visit.BREAK;
    },
  });
  return found;
}

function fillAll(value: unknown, fill: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return fill(value, key);
  if (Array.isArray(value)) return value.map((item) => fillAll(item, fill, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillAll(inner, fill, name)]),
  );
}

/** Returns the offset of the node at a path, or of its nearest existing ancestor. */
function offsetOf(contents: unknown, path: PropertyKey[]): number {
  let node = contents;
  let offset = 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: name }) => String(name) === String(key));
      if (!pair) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else {
      node = isSeq(node) ? node.items[Number(key)] : undefined;
      offset = startOf(node) ?? offset;
    }
  }
  return offset;
}

const startOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined);
