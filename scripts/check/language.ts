/** Checks the project's vocabulary: one standard term per concept, and plain prose. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";

const root = path.join(import.meta.dirname, "../..");

/** Words not used in prose (comments, documents, messages, test titles), and what to write instead. */
const wordsOfProse: [found: RegExp, instead: string][] = [
  [/\b(whoever|whomever|nobody|somebody)\b/i, "name who: the visitor, the operator, a program"],
  [
    /(?<!(lower-case|upper-case|capital|small|latin|accented) )\bletters?\b(?! (and|of|or)\b|, (digits|figures))/i,
    "email",
  ],
  [/\be-mails?\b/i, "email"],
  [/\bpostm[ae]n\b/i, "outbox worker"],
  [/\b(kept|unkept) (page|response|answer)s?\b/i, "cached page, uncacheable"],
  [/\brefus(e[sd]?|ing|als?)\b/i, "reject, rejection"],
  [/\bturn(s|ed|ing)? away\b/i, "reject"],
  [/\bjudg(e[sd]?|ing|e?ments?)\b/i, "validate, check"],
  [/\b(giv(e|es|en|ing)|gave) up\b/i, "fail, failed"],
  [/\b(tak(e|es|en|ing)|took) over\b/i, "checkpoint, replace"],
  [/\btid(y|ies|ied|ying)\b/i, "clean up, cleanup job"],
  [/\btwins?\b/i, "duplicate, counterpart"],
  [/\bpatience\b/i, "timeout"],
  [/\bnews of (the|our) blog\b/i, "new articles"],
  [/\b(is|are|be|was) away\b/i, "does not respond, is down"],
  [/\breckon(s|ed)? with\b/i, "expect"],
  [/(?<!#)\bback-ups?\b/i, "backup"],
  [/\bheads? of department\b/i, "departmental head"],
  [/\blearnt\b/i, "learned"],
  [/\b(tells?|told) of\b|\bstands? in\b|\bwould else\b|\bis there to be\b/i, "say it plainly"],
];

/** Words not used in names, and what to write instead. */
const wordsOfNames: [found: RegExp, instead: string][] = [
  [/^(?!letterSpacing$)(?=.*(?<![a-z])letters?(?![a-z]))|Letter(?!Spacing)/, "email"],
  [/postman/i, "outboxWorker"],
  [/keptPage|answerKept|unkept/i, "cachedPage, noStore"],
  [/refus/i, "reject, rejection"],
  [/judg/i, "validate, check"],
  [/giv(e|en)Up/i, "fail, failed"],
  [/take(n)?Over/i, "checkpoint"],
  [/tidy/i, "cleanUp"],
  [/twin/i, "duplicate"],
  [/patience/i, "timeout"],
  [/^#?(most|least)[A-Z]/, "max, min"],
];

const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => !/^(content|node_modules|\.cache)\//.test(file))
  // Git lists a deleted file until the deletion is staged.
  .filter((file) => existsSync(path.join(root, file)));
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const own = "scripts/check/language.ts";
const sources = files.filter((file) => /\.(tsx?|mjs)$/.test(file) && file !== own);
/** Whether the texts of a file are checked as prose, because people read them: log lines, errors, --help, emails. */
const hasMessages = (file: string) => /^(app\/server|db|scripts(?!\/record-video))\//.test(file);

interface Passage {
  file: string;
  line: number;
  text: string;
}

const documents: Passage[] = files
  .filter((file) => /^(README|CHANGELOG|docs\/.*)\.md$|^Dockerfile$|^packaging\//.test(file))
  .flatMap((file) => linesOf(file, read(file), 1));

const styles: Passage[] = files
  .filter((file) => file.endsWith(".css"))
  .flatMap((file) => {
    const source = read(file);
    return [...source.matchAll(/\/\*[\s\S]*?\*\//g)].flatMap((comment) =>
      linesOf(file, comment[0], lineAt(source, comment.index)),
    );
  });

const parsed = sources.map((file) => {
  const source = read(file);
  const { program, comments } = parseSync(file, source);
  const identifiers: Passage[] = [];
  const texts: Passage[] = [];
  visit(program, (node) => {
    const line = lineAt(source, node.start);
    if (node.type === "Identifier" || node.type === "PrivateIdentifier") {
      identifiers.push({ file, line, text: String(node.name) });
    }
    const text = textOf(node);
    if (text !== undefined && hasMessages(file)) texts.push({ file, line, text });
    const title = titleOf(node);
    if (title !== undefined) texts.push({ file, line, text: title });
  });
  const remarks = comments.flatMap(({ value, start }) =>
    linesOf(file, value, lineAt(source, start)),
  );
  return { identifiers, texts, remarks };
});

const prose = [
  ...documents,
  ...styles,
  ...parsed.flatMap(({ texts, remarks }) => [...texts, ...remarks]),
];
const names = parsed.flatMap(({ identifiers }) => identifiers);
if (prose.length < 5000 || names.length < 20_000) throw new Error("The texts were not found.");
const found = [...offences(prose, wordsOfProse), ...offences(names, wordsOfNames)];
for (const offence of found) console.error(offence);
if (found.length > 0) process.exit(1);

function offences(passages: Passage[], words: [RegExp, string][]): string[] {
  const all = passages.flatMap(({ file, line, text }) =>
    words.flatMap(([pattern, instead]) => {
      const word = pattern.exec(text)?.[0];
      return word === undefined
        ? []
        : [`${file}:${line} ${text.trim().slice(0, 100)}: “${word}” → ${instead}`];
    }),
  );
  return [...new Set(all)];
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

function visit(node: unknown, look: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, look);
  } else if (typeof node === "object" && node !== null) {
    if (typeof (node as Node).type === "string") look(node as Node);
    for (const value of Object.values(node)) visit(value, look);
  }
}

/** The text of a string or of a piece of a template. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateElement") return (node.value as { cooked: string }).cooked;
  return undefined;
}

/** The title of a test. */
function titleOf(node: Node): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = node.callee as Node & { property?: Node };
  const name = callee.type === "MemberExpression" ? callee.property?.name : callee.name;
  const [title] = node.arguments as Node[];
  if (name !== "test" || !title) return undefined;
  if (title.type !== "TemplateLiteral") return textOf(title);
  return (title.quasis as Node[]).map(textOf).join(" ");
}

function lineAt(source: string, index: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < index; at = source.indexOf("\n", at + 1)) {
    line += 1;
  }
  return line;
}

function linesOf(file: string, text: string, first: number): Passage[] {
  return text.split("\n").map((line, index) => ({ file, line: first + index, text: line }));
}
