/** A class on paper: cover sheets, the scan, its scripts on the desk, and the pages that belong to no learner. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { column } from "./support/columns.ts";
import { formsIn, postForm } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import type { Leaf } from "./support/paper.ts";
import { classOnPaper } from "./support/paper-class.ts";
import { sendRequest } from "./support/send-request.ts";
import { newFolder, runCommand, setUpOnce } from "./support/server.ts";

/** One page is before the first cover sheet, and the second learner's script has one too many. */
const withTwoProblems: Leaf[] = [
  ["x", { turned: 90 }],
  ...["#1", "1a", "#2", "2a", "3a", "#4", "4a"],
];

/** Splits a scan with two problem pages. */
const splitScan = setUpOnce(async (server) => {
  const made = await classOnPaper(server);
  const { reference, run, scan } = made;
  await scan("scan.pdf", withTwoProblems, 50);
  const folder = await run("class", "split", reference, ".");
  assert.match(folder.err, /^rubricon: \. is not a file\.$/m);
  const split = await run("class", "split", reference, "scan.pdf");
  assert.match(split.err, /3 scripts, 2 problem pages\./);
  return made;
});

/** A class whose scan has been split, with functions that open a link and read a page. */
async function classWithProblems() {
  const { server, reference, run, inFolder } = await splitScan();
  const open = async (...args: string[]) => {
    const { out } = await run("marking", "open", reference, "--marker", "N. Dlamini", ...args);
    return out.trim().slice(server.url.length);
  };
  const read = async (url: string) => {
    const { status, bytes } = await sendRequest(server.url, url);
    return { status, html: bytes.toString() };
  };
  return { server, reference, run, inFolder, open, read };
}

test("a scan is split once, and its problem pages are given, turned, discarded and put back, without script", async () => {
  const { server, reference, run, open, read: readPage } = await classWithProblems();
  const again = await run("class", "split", reference, "scan.pdf");
  assert.match(
    again.err,
    /Split before, and left as it is: scan\.pdf\. Problem pages .*\n0 scripts/,
  );
  const problems = `${await open("--names")}&view=problems`;
  const read = (url = problems) => readPage(url);
  const post = async (filled: Record<string, string>, intent?: string) => {
    const form = formsIn((await read()).html)[0]!;
    return await postForm(server.url, form, intent, filled);
  };
  const first = await read();
  assert.equal(first.status, 200);
  assert.match(first.html, /Problem pages \(2\)/);
  assert.match(
    first.html,
    /scan\.pdf, page 1<.*before the first.*scan\.pdf, page 6<.*beyond the 1 page that most/s,
  );
  const [other, one] = [...first.html.matchAll(/name="(page-\d+)"/g)].map(([, name]) => name!);
  const learner = /<option value="(\d+)">Chipo Three/.exec(first.html)![1]!;
  const image = /src="([^"]*\/pages\/[^"]*)"/.exec(first.html)![1]!;
  assert.equal((await sendRequest(server.url, image)).headers["content-type"], "image/webp");

  assert.equal((await post({ to: learner }, "give")).status, 422, "nothing is ticked");
  assert.equal((await post({ [one!]: "on" }, "give")).status, 422, "nobody is chosen");
  assert.equal((await post({ [one!]: "on", to: "99999" }, "give")).status, 404);
  assert.equal((await post({ "page-99999": "on", to: learner }, "give")).status, 404);
  assert.equal((await post({ [one!]: "on", to: "x" }, "give")).status, 400);
  const turn = formsIn(first.html)[0]!.buttons.find(({ name }) => name === "turn")!.value;
  const turned = await post({ turn, [one!]: "on", to: learner });
  assert.equal(turned.status, 303);
  const kept = await read(turned.headers.location!.split("#")[0]);
  assert.match(kept.html, new RegExp(`<input(?=[^>]* checked)[^>]* name="${one}"`));
  assert.match(kept.html, new RegExp(`<option value="${learner}" selected=""`));
  assert.match(kept.html, /rotate\(90\)/);
  assert.equal((await post({ [one!]: "on", to: learner }, "give")).status, 303);
  assert.equal((await post({ [other!]: "on" }, "discard")).status, 303);
  const done = await read();
  assert.match(done.html, /Problem pages \(0\).*discarded.*given to Chipo Three \(2024\/3\)/s);
  const files = () =>
    server.query("SELECT student_name, file_name FROM submissions WHERE learner_number = '2024/3'");
  assert.deepEqual(await files(), [{ student_name: "Chipo Three", file_name: "scan page 6.pdf" }]);
  assert.equal((await post({ back: one!.slice(5) })).status, 303);
  assert.deepEqual(await files(), [{ student_name: "Chipo Three", file_name: "no file (2024/3)" }]);
  assert.match((await read()).html, /Problem pages \(1\)/);
  assert.deepEqual(
    column(
      await server.query(
        "SELECT action FROM audit WHERE action LIKE '%problem%' OR action LIKE 'scan%'",
      ),
      "action",
    ),
    ["scan split", "problem pages given", "problem pages discarded", "problem pages put back"],
  );
});

test("problem pages are open to no link without names or of some learners", async () => {
  const { server, open, read } = await classWithProblems();
  const { html } = await read(`${await open("--names")}&view=problems`);
  const form = formsIn(html)[0]!;
  const [, page] = /name="(page-\d+)"/.exec(html)!;
  const [, image] = /src="([^"]*\/pages\/[^"]*)"/.exec(html)!;
  for (const link of [await open(), await open("--names", "--learners", "1")]) {
    const action = `${link}&view=problems`;
    assert.equal((await read(action)).status, 404);
    assert.doesNotMatch((await read(link)).html, /Problem pages/);
    const token = new URLSearchParams(link.split("?")[1]).get("link")!;
    const own = image!.replace(/marking\/[^/]+/, `marking/${token}`);
    assert.equal((await sendRequest(server.url, own)).status, 404);
    const forbidden = await postForm(server.url, { ...form, action }, "discard", { [page!]: "on" });
    assert.equal(forbidden.status, 404);
  }
});

test("cover sheets overwrite no file, not even their own list", async (t) => {
  const folder = newFolder(t);
  const list = path.join(folder, "list.csv");
  writeFileSync(list, "Number,Name\n1,Zanele One\n");
  writeFileSync(path.join(folder, "sheets.pdf"), "printed before");
  for (const file of ["sheets.pdf", "list.csv"]) {
    const { code, err } = await runCommand(folder, ["class", "sheets", "list.csv", "--out", file]);
    assert.equal(code, 1);
    assert.ok(err.includes(`${file} already exists; nothing was overwritten.`), err);
  }
  assert.match(readFileSync(list, "utf8"), /Zanele One/);
  assert.equal(readFileSync(path.join(folder, "sheets.pdf"), "utf8"), "printed before");
});

test("no page or file name under a link without names has a learner's name", async () => {
  const { server, reference, run, inFolder, open } = await classWithProblems();
  const sheet = (await run("results", "template", reference, "--questions", "1")).out
    .replace(/^(.?)Title,.*$/m, "$1Title,Plants")
    .replace(/^Question,.*$/m, "Question,,,1.1,")
    .replace(/^Description,.*$/m, "Description,,,Terms,")
    .replace(/^Out of,.*$/m, "Out of,,,3,");
  writeFileSync(inFolder("sheet.csv"), sheet);
  await succeeded(run("results", "import", reference, "sheet.csv"));
  const seen = new Set<string>();
  const queue = [await open()];
  const name = /Zanele|Bongani|Chipo|Dumisani/;
  while (queue.length > 0) {
    const url = queue.pop()!;
    if (seen.has(url)) continue;
    seen.add(url);
    const { status, bytes, headers } = await sendRequest(server.url, url);
    const text = `${JSON.stringify(headers)} ${bytes.toString()}`;
    assert.ok(status < 400, `${url}: ${status}`);
    assert.doesNotMatch(text, name, url);
    if (headers.location) queue.push(headers.location);
    if (!String(headers["content-type"]).startsWith("text/html")) continue;
    const links = [...text.matchAll(/(?:href|src)="((?:\/marking\?|\/api\/marking\/)[^"#]*)/g)];
    queue.push(...links.map(([, link]) => link!.replaceAll("&amp;", "&")));
    for (const form of formsIn(text)) {
      const empty = await postForm(server.url, { ...form, fields: {} }, "save", { number: "1" });
      assert.doesNotMatch(empty.bytes.toString(), name, url);
    }
  }
  assert.ok(seen.size > 15, `${[...seen].join("\n")}`);
  const original = [...seen].filter((url) => url.includes("/originals/"));
  assert.ok(original.length >= 3, "originals were opened");
});
