import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { newFolder, startServer } from "./support/server.ts";

const built = path.join(import.meta.dirname, "../build/server/server.js");

interface Coverage {
  result: {
    url: string;
    functions: { functionName: string; ranges: { count: number }[] }[];
  }[];
}

test("a start and its first page do no work that can wait", async (t) => {
  const folder = newFolder(t);
  const coverage = path.join(folder, "coverage");
  const server = await startServer(t, {
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
  const main = scriptsByThread.find((some) => some.some(({ url }) => url.endsWith("/server.js")))!;
  const codeOf = (some: { url: string }[]) =>
    some.map(({ url }) => readFileSync(fileURLToPath(url), "utf8")).join("");
  assert.ok(
    !codeOf(main).includes("node_modules/drizzle-orm/"),
    "the thread queries, not the server",
  );
  const scripts = scriptsByThread.flat();
  const files = scripts.map(({ url }) => fileURLToPath(url));
  const threads = files
    .map((file) => path.basename(file))
    .filter((name) => /^\w+-thread\.js$/.test(name));
  assert.deepEqual(threads, ["writer-thread.js"]);
  const code = codeOf(scripts);
  assert.ok(code.includes("node_modules/react-dom/"), "the files of the program were found");
  assert.ok(code.includes("node_modules/drizzle-orm/"));
  for (const library of ["nodemailer", "pg"]) {
    assert.ok(!code.includes(`node_modules/${library}/`), `${library} was loaded`);
  }
  const calls = (name: string) => {
    assert.match(code, new RegExp(`\\b${name}\\b`), `the program has ${name}`);
    return scripts
      .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === name))
      .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  };
  assert.equal(calls("readArticles"), 1, "calls are counted");
  const passages = calls("renderMarkdown");
  assert.ok(
    passages > 0 && passages < 55,
    `${passages}: those of the home page, without 35 articles`,
  );
  for (const name of ["textOfHtml", "wordsIn"]) {
    assert.equal(calls(name), 0, name);
  }
  assert.ok(calls("readYaml") > 40, "calls are counted");
  // The server calls `firstRejected` once for each YAML text that the build did not parse.
  assert.ok(calls("firstRejected") < 5, `${calls("firstRejected")} texts were parsed`);
});
