import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { once } from "../app/server/system/once.ts";
import { wholeFile } from "./support/at-end.ts";
import { newFolder, startServer } from "./support/server.ts";

const built = path.join(import.meta.dirname, "../build/server/server.js");

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { count: number }[] }[];
  }[];
}

/** The code that each thread of a server loads until its first page has been sent, with counts of its calls. */
const start = once(async () => {
  const folder = newFolder(wholeFile);
  const coverage = path.join(folder, "coverage");
  const server = await startServer(wholeFile, {
    folder,
    program: process.execPath,
    args: [built],
    env: {
      NODE_V8_COVERAGE: coverage,
      RUBRICON_MAIL_URL: `file:${path.join(folder, "mail")}`,
    },
  });
  const home = await fetch(server.url);
  assert.match(await home.text(), /The red pen stays yours/);
  assert.equal(await server.stop(), 0);

  const reports = readdirSync(coverage).map(
    (file) => JSON.parse(readFileSync(path.join(coverage, file), "utf8")) as Coverage,
  );
  // One report for each thread.
  const scriptsByThread = reports.map(({ result }) =>
    result.filter(({ url }) => url.includes("/build/server/")),
  );
  const scripts = scriptsByThread.flat();
  const code = codeOf(scripts);
  const calls = (name: string) => {
    assert.match(code, new RegExp(`\\b${name}\\b`), `the program has ${name}`);
    return scripts
      .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
      .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  };
  return { scriptsByThread, scripts, code, calls };
});

const codeOf = (scripts: { url: string }[]) =>
  scripts.map(({ url }) => readFileSync(fileURLToPath(url), "utf8")).join("");

test("a start and its first page load no library that can wait", async () => {
  const { code } = await start();
  for (const library of ["react-dom", "drizzle-orm"])
    assert.ok(code.includes(`node_modules/${library}/`), library);
  for (const library of ["nodemailer", "pg"])
    assert.ok(!code.includes(`node_modules/${library}/`), library);
});

test("the main thread of a server does not load drizzle-orm, which another thread loads", async () => {
  const { scriptsByThread } = await start();
  const isMain = (scripts: { url: string }[]) =>
    scripts.some(({ url }) => url.endsWith("/server.js"));
  const main = scriptsByThread.filter(isMain);
  assert.equal(main.length, 1);
  assert.ok(!codeOf(main.flat()).includes("node_modules/drizzle-orm/"));
  const others = scriptsByThread.filter((scripts) => !isMain(scripts));
  assert.ok(codeOf(others.flat()).includes("node_modules/drizzle-orm/"));
});

test("a start needs no thread but the writer", async () => {
  const { scripts } = await start();
  const files = scripts.map(({ url }) => fileURLToPath(url));
  const threads = files
    .map((file) => path.basename(file))
    .filter((name) => /^\w+-thread\.js$/.test(name));
  assert.deepEqual(threads, ["writer-thread.js"]);
});

test("a start and its first page render no article", async () => {
  const { calls } = await start();
  assert.equal(calls("readArticles"), 1, "calls are counted");
  assert.ok(calls("renderMarkdown") > 0, "calls are counted");
  // `renderBody` renders the text of an article or another document.
  for (const name of ["renderBody", "textOfHtml", "wordsIn"]) {
    assert.equal(calls(name), 0, name);
  }
});

test("a start parses no YAML text that the build has parsed", async () => {
  const { calls } = await start();
  assert.ok(calls("readYaml") > 40, "calls are counted");
  // The server calls `firstRejected` once for each YAML text that the build did not parse.
  assert.equal(calls("firstRejected"), 0);
});
