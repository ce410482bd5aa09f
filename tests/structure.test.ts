import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { type Import, importsIn } from "../scripts/imports.ts";
import { column } from "./support/columns.ts";

const root = path.join(import.meta.dirname, "..");

const sources = ["app", "db", "content"]
  .filter((folder) => existsSync(path.join(root, folder)))
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  )
  .filter((file) => /\.(tsx?|css|md|svg)$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

const imports = sources
  .filter(({ file }) => /\.tsx?$/.test(file))
  .flatMap(({ file }) => importsIn(root, file));

const offenders = (wrong: (found: Import) => boolean) =>
  imports.filter(wrong).map(({ file, target }) => `${file} imports ${target}`);

const isOurs = (target: string) => /^(app|db)\//.test(target);

/** What each part may import from the project: values, and where only types may cross, types. */
const fences: [from: RegExp, values: RegExp, types: RegExp][] = [
  [/^app\/domain\//, /^app\/domain\//, /^app\/domain\//],
  [/^app\/forms\//, /^app\/(forms|domain)\//, /^app\/(forms|domain)\//],
  [/^app\/results\//, /^app\/(results|domain)\//, /^app\/(results|domain)\//],
  [/^app\/desk\//, /^app\/(desk|forms|domain)\//, /^app\/(desk|forms|domain)\//],
  [/^app\/(brand|site)\.ts/, /^app\/domain\//, /^app\/domain\//],
  [/^app\/routes\.ts/, /^app\/site\.ts/, /^app\/site\.ts/],
  [
    // Only these, and what they import, reach a browser.
    /^app\/(islands\/|hydrate\.tsx|entry\.client\.ts)/,
    // The rules of the results file need zod, which pages do without.
    /^app\/((islands|forms|styles|domain)\/|hydrate\.tsx|site\.ts|results\/(?!results-file))/,
    /^app\/(islands|forms|results|domain)/,
  ],
  [
    /^app\/ui\//,
    /^app\/((ui|islands|forms|styles|domain)\/|site\.ts|results\/(?!results-file))/,
    /^app\/(ui|islands|forms|results|domain|brand|context|root)/,
  ],
  [
    /^app\/routes\//,
    /^app\/(routes|ui|islands|forms|results|styles|domain|context|rendering|site)/,
    /^app\/(routes|ui|islands|forms|results|domain|context|rendering|brand)/,
  ],
  [/^app\/context\.ts/, /^$/, /^(app\/(domain|forms|results|brand)|db\/store\.ts)/],
  [/^app\/rendering\.ts/, /^$/, /^app\/domain\//],
  [
    /^app\/(root|entry\.server)\.tsx/,
    /^app\/(ui|styles|context|rendering)/,
    /^app\/(ui|context|rendering|\+types)/,
  ],
  // The store computes the grade that a decision leads to, and stores both at once.
  [/^db\//, /^(db|app\/(domain|results))\//, /^(db|app\/(domain|forms|results))\//],
  [
    /^app\/server\//,
    /^(app\/(server|domain|forms|results|desk|context|brand|site|rendering)|db\/(store|engine)\.ts)/,
    /^(app\/(server|domain|forms|results|desk|context|brand|site|rendering)|db\/(store|engine)\.ts)/,
  ],
  [/^app\/server\/intake\//, /^(?!app\/server\/http\/)/, /^(?!app\/server\/http\/)/],
];

/** Files that may share a base name, because they are two sides of one thing. */
const oneThing: [what: string, where: RegExp][] = [
  ["the halves of an interface, one for each engine", /^db\/(sqlite\/|postgres\/|)[^/]+$/],
  ["styles and what they style", /^app\/(styles\/.+\.css|(routes|ui|islands)\/.+\.tsx)$/],
  ["a route and the body of its page", /^app\/(routes|ui)\/[^/]+\.tsx$/],
  ["a form, its island and its page", /^app\/(forms|islands|routes)\/[^/]+$/],
  ["a type, and its page or its operations", /^(app\/domain|app\/routes|db\/operations)\/[^/]+$/],
  [
    "figures of a class, and what shows them",
    /^app\/(islands\/)?results\/(view\/)?class-report\.tsx?$/,
  ],
];

test("a base name means one thing", () => {
  const byName = Map.groupBy(
    sources.map(({ file }) => file).filter((file) => /^(app|db)\//.test(file)),
    (file) => path.basename(file, path.extname(file)),
  );
  const wrong = [...byName.values()].filter(
    (files) =>
      files.length > 1 && !oneThing.some(([, where]) => files.every((file) => where.test(file))),
  );
  assert.deepEqual(wrong, []);
});

test("values are imported downwards, types may be imported upwards", () => {
  assert.ok(imports.length > 100, "the imports were found");
  const isFree = ({ file }: { file: string }) => !fences.some(([from]) => from.test(file));
  assert.deepEqual(
    imports.filter(isFree).filter(({ target }) => isOurs(target)),
    [],
  );
  for (const [from, values, types] of fences) {
    assert.deepEqual(
      offenders(
        ({ file, target, isTypeOnly }) =>
          from.test(file) && isOurs(target) && !(isTypeOnly ? types : values).test(target),
      ),
      [],
    );
  }
});

test("each large library is imported in one place", () => {
  const homes: [library: RegExp, home: RegExp][] = [
    [/^drizzle-orm/, /^db\//],
    [/^better-sqlite3/, /^db\/sqlite\//],
    [/^pg$/, /^db\/postgres\//],
    [/^(express$|@react-router\/express)/, /^app\/server\/http\//],
    [/^(@embedpdf\/pdfium|@jsquash\/webp\/encode)/, /^app\/desk\/pdf-pages\.ts$/],
    [/^@jsquash\/webp\/decode/, /^app\/desk\/page-png\.ts$/],
    [/^zxing-wasm/, /^app\/desk\/sheet-code\.ts$/],
    [
      /^fflate/,
      /^app\/(desk\/paragraphs|server\/(results\/workbook|requests\/request-archive))\.ts$/,
    ],
    [/^nodemailer/, /^app\/server\/email\/transport\.ts$/],
    [/^@remix-run\/multipart-parser/, /^app\/server\/intake\/part-trimmer\.ts$/],
    [/^@mjackson\/form-data-parser/, /^app\/server\/intake\/form-body\.ts$/],
    [/^ipaddr\.js/, /^app\/server\/http\/client-address\.ts$/],
    [/^marked/, /^app\/server\/content\/markdown\.ts$/],
    [/^react-dom\/server/, /^app\/(entry\.server|ui\/island)\.tsx$/],
    [/^yaml/, /^app\/server\/content\/yaml\.ts$/],
  ];
  for (const [library, home] of homes) {
    const isAtHome = ({ file, target }: Import) => library.test(target) && home.test(file);
    assert.ok(imports.some(isAtHome), `${library} is imported in its place`);
    assert.deepEqual(
      offenders(
        ({ file, target, isTypeOnly }) => library.test(target) && !isTypeOnly && !home.test(file),
      ),
      [],
    );
  }
});

test("a command starts without the website, the database, the mail client and the PDF renderer", () => {
  const folder = path.join(root, "build/server");
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const code = readFileSync(path.join(folder, file), "utf8");
    for (const [, imported] of code.matchAll(/^(?:import|export)\b[^;()]*?"\.\/([^"]+)";/gm)) {
      load(imported!);
    }
  };
  load("server.js");
  const codeOf = (files: Iterable<string>) =>
    [...files].map((file) => readFileSync(path.join(folder, file), "utf8")).join("");
  const code = codeOf(loaded);
  const all = codeOf(readdirSync(folder).filter((file) => file.endsWith(".js")));
  assert.ok(loaded.size > 3, "the imports were found");
  for (const library of [
    ...["react-dom", "express", "drizzle-orm", "nodemailer", "@embedpdf"].map(
      (name) => `node_modules/${name}/`,
    ),
    // The build leaves it an import, because it has a native addon.
    'from "better-sqlite3"',
  ]) {
    assert.ok(all.includes(library), `${library} is in the program`);
    assert.ok(!code.includes(library), library);
  }
});

test("only the settings and the notices to systemd read the environment", () => {
  const readers = sources
    .filter(({ text }) => text.includes("process.env"))
    .map(({ file }) => file);
  assert.deepEqual(readers, ["app/server/cli/serve.ts", "app/server/config/sources.ts"]);
});

test("only SQL with names or numbers of the program in it is put together at run time", () => {
  const built = /\b(prepare|query|exec|pragma)(<[^(`]*>)?\(\s*`[^`]*\$\{/;
  assert.deepEqual(
    sources
      .filter(({ text }) => built.test(text))
      .map(({ file }) => file)
      .sort(),
    [
      // The names of tables and columns of the schema, or the numbers of parameters.
      "db/postgres/copy-in.ts",
      "db/postgres/rows.ts",
      "db/postgres/tx.ts",
      "db/sqlite/examine.ts",
      "db/sqlite/rows.ts",
      // Pragmas, which take no parameters.
      "db/sqlite/connection.ts",
      "db/sqlite/create-file.ts",
      "db/sqlite/open.ts",
      "db/sqlite/schema-version.ts",
      "db/sqlite/wal.ts",
    ].sort(),
  );
});

for (const { name, what, where } of [
  {
    name: "no code or regular expression is built from text at run time, and no text is raw SQL in drizzle",
    what: /\beval\(|new Function\(|new RegExp\(|node:vm|sql\.raw/,
    where: /^(app|db)\/.*\.tsx?$/,
  },
  {
    name: "no command is run but systemd-notify, by serve.ts, and the program itself, by render-file.ts",
    what: /node:child_process/,
    where: /^(app|db)\/(?!server\/cli\/serve\.ts|desk\/render-file\.ts).*\.tsx?$/,
  },
  {
    name: "nothing is stored in a browser but unsent marks and the places of the desk",
    what: /localStorage|sessionStorage|indexedDB|document\.cookie|cookieStore|postMessage|WebSocket/,
    where: /^app\/(?!islands\/(results\/typed-before|marking\/tab-storage)\.ts$).*\.tsx?$/,
  },
]) {
  test(name, () => {
    const inside = sources.filter(({ file }) => where.test(file));
    assert.ok(inside.length > 30, "the sources were found");
    assert.deepEqual(
      column(
        inside.filter(({ text }) => what.test(text)),
        "file",
      ),
      [],
    );
  });
}

test("only app/brand.ts contains the product's name", () => {
  const named = sources.filter(({ text }) => /rubricon/i.test(text)).map(({ file }) => file);
  assert.deepEqual(named, ["app/brand.ts"]);
});

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file && existsSync(path.join(root, file)));

test("the root holds only names that a reader expects", () => {
  const expected = [
    ".ci .dockerignore .github .gitignore .npmrc CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE README.md SECURITY.md",
    "app biome.json compose.yaml content db docs drizzle.config.ts drizzle.postgres.config.ts package-lock.json",
    "package.json packaging react-router.config.ts scripts server.ts tests tsconfig.json vite.config.ts",
  ];
  const names = new Set(tracked.map((file) => file.split("/")[0]!));
  for (const name of expected.join(" ").split(" ")) names.delete(name);
  assert.deepEqual([...names], []);
});

test("the list of folders in docs/architecture.md has every folder of app/, app/server/ and every document", () => {
  const document = readFileSync(path.join(root, "docs/architecture.md"), "utf8");
  const list = /## Folders[\s\S]*?```\n([\s\S]*?)```/.exec(document)![1]!;
  const found = tracked.flatMap((file) => [
    ...(/^app\/[^/]+\//.exec(file) ?? []),
    // Indented: app/results/ and content/ have the names of folders in app/server/.
    ...(/(?<=^app\/server\/)[^/]+\//.exec(file)?.map((name) => `\n  ${name}`) ?? []),
    ...(/(?<=^docs\/)[^/]+\.md$/.exec(file) ?? []),
  ]);
  assert.ok(found.length > 500, "the files were found");
  assert.deepEqual(
    [...new Set(found)].filter((name) => !list.includes(name)),
    [],
  );
});

test("no tracked file but the film is larger than 1 MB", () => {
  assert.ok(tracked.length > 500, "the files were found");
  const large = tracked.filter(
    (file) => !file.startsWith("content/film/") && statSync(path.join(root, file)).size > 1_000_000,
  );
  assert.deepEqual(large, []);
});
