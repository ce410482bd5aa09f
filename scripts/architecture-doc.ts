/** Draws into docs/architecture.md which folders import values from which. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { importsIn } from "./imports.ts";
import { writeOrCompare } from "./write-or-compare.ts";

const root = path.join(import.meta.dirname, "..");
const output = "docs/architecture.md";
const before = readFileSync(path.join(root, output), "utf8");

type Edge = [from: string, to: string];

const imports = globSync("{app,db}/**/*.{ts,tsx}", { cwd: root })
  .flatMap((file) => importsIn(root, file))
  .filter(({ isTypeOnly }) => !isTypeOnly);

/** The folder that a file is in, such as app/forms or db; the file itself if it is directly in app/. */
const folderOf = (file: string) => /^(db(?=\/)|app\/[^/]+)/.exec(file)?.[0];

/** The folder of app/server/ that a file is in; undefined for other files. */
const serverFolderOf = (file: string) => /^app\/server\/[^/]+(?=\/)/.exec(file)?.[0];

const drawings = {
  app: flowchartOf(edgesBetween(folderOf), "app/"),
  server: flowchartOf(edgesBetween(serverFolderOf), "app/server/"),
};

const after = Object.entries(drawings).reduce(
  (text, [name, drawing]) =>
    text.replace(
      new RegExp(`(<!-- drawing: ${name} -->\n)[^]*?(<!-- end -->)`),
      (_, start, end) => `${start}\n\`\`\`mermaid\n${drawing}\n\`\`\`\n\n${end}`,
    ),
  before,
);

writeOrCompare(output, after);

function edgesBetween(folderIn: (file: string) => string | undefined): Edge[] {
  const edges = imports.flatMap(({ file, target }): Edge[] => {
    const [from, to] = [folderIn(file), folderIn(target)];
    const isCode = /\.tsx?$/.test(target);
    // A file directly in app/, such as an entry point, is drawn if folders import it, and without its own imports.
    return from && to && from !== to && isCode && !from.includes(".") ? [[from, to]] : [];
  });
  const unique = new Map(edges.map((edge) => [edge.join(" "), edge]));
  return withoutImplied([...unique.values()].sort((a, b) => (a.join(" ") < b.join(" ") ? -1 : 1)));
}

/** Leaves out each import that a path over other folders implies. */
function withoutImplied(edges: Edge[]): Edge[] {
  let left = edges;
  for (const edge of edges) {
    const others = left.filter((one) => one !== edge);
    if (reaches(others, ...edge)) left = others;
  }
  return left;
}

function reaches(edges: Edge[], from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const folder of seen) {
    for (const [start, end] of edges) if (start === folder) seen.add(end);
  }
  return seen.has(to);
}

function flowchartOf(edges: Edge[], prefix: string): string {
  const idOf = (folder: string) => folder.replaceAll(/\W/g, "_");
  const nodeOf = (folder: string) => `${idOf(folder)}["${folder.replace(prefix, "")}"]`;
  const lines = edges.map(([from, to]) => `    ${nodeOf(from)} --> ${nodeOf(to)}`);
  return ["flowchart TD", ...lines].join("\n");
}
