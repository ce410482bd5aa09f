import { type Document, isMap, LineCounter, parseDocument, visit } from "yaml";
import type * as z from "zod/mini";
import type { ContentFault } from "./content-error.ts";

/**
 * Reads YAML by a rule.
 * @param fill what becomes of each text, after it has been read: no name can break the file
 * @param firstLine the line of the file on which the text begins
 * @returns the value, or what is wrong with it and where
 */
export function readYaml<Value>(
  text: string,
  rule: z.ZodMiniType<Value>,
  file: string,
  fill: (text: string, key: string) => string,
  firstLine = 1,
): { value: Value } | { faults: ContentFault[] } {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lineOf = (offset: number) => counter.linePos(offset).line + firstLine - 1;
  if (document.errors.length > 0) {
    return {
      faults: document.errors.map(({ pos, message }) => ({
        file,
        line: lineOf(pos[0]),
        message: message.split("\n")[0]!.replace(/ at line.*$/, ""),
      })),
    };
  }
  const alias = firstAlias(document);
  if (alias !== undefined) {
    const message =
      "begins with *, which stands for something else in YAML: put it in quotation marks";
    return { faults: [{ file, line: lineOf(alias), message }] };
  }
  const result = rule.safeParse(fillAll(document.toJS(), fill));
  if (result.success) return { value: result.data };
  return {
    faults: result.error.issues.map((issue) => {
      const path =
        issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
      return {
        file,
        line: lineOf(offsetOf(document.contents, path)),
        message: `${path.join(".") || "the front matter"}: ${issue.message}`,
      };
    }),
  };
}

/** Content needs none, and a few lines of them can stand for gigabytes. */
function firstAlias(document: Document): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias(_key, alias) {
      offset = alias.range![0];
      return visit.BREAK;
    },
  });
  return offset;
}

function fillAll(value: unknown, fill: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return fill(value, key);
  if (Array.isArray(value)) return value.map((one) => fillAll(one, fill, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, fillAll(inner, fill, name)]),
  );
}

/** Where in the text the thing at a path stands, or what comes nearest to it. */
function offsetOf(contents: unknown, path: PropertyKey[]): number {
  let node = contents;
  let offset = 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: name }) => String(name) === String(key));
      if (!pair) break;
      offset = (pair.key as { range?: [number] }).range?.[0] ?? offset;
      node = pair.value;
    } else {
      node = (node as { items?: unknown[] } | null)?.items?.[Number(key)];
      offset = (node as { range?: [number] } | undefined)?.range?.[0] ?? offset;
    }
  }
  return offset;
}
