/** A class on paper: cover sheets, the scan, its scripts on the desk, and the pages that belong to no learner. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { formsIn, postForm } from "./support/html-forms.ts";
import { readAnswer, scanOf } from "./support/paper.ts";
import { team, uploadSubmissions } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { runCommand, startServer } from "./support/server.ts";

const numbers = ["1", "2", "2024/3", "4"];
const list = [
  "Number,Name",
  "1,Zanele One",
  "2,Bongani Two",
  "2024/3,Chipo Three",
  "4,Dumisani Four",
];

async function classOnPaper(t: Parameters<typeof startServer>[0]) {
  const server = await startServer(t);
  const reference = await uploadSubmissions(server, ["class.txt"]);
  const run = async (...args: string[]) =>
    runCommand(server.folder, args, { ...team, RUBRICON_PUBLIC_URL: server.url });
  const inFolder = (name: string) => path.join(server.folder, name);
  writeFileSync(inFolder("list.csv"), list.join("\n"));
  const named = await run("class", "list", reference, "list.csv", "--add", "--only");
  assert.equal(named.code, 0, named.err);
  const written = await run("class", "sheets", "list.csv", "--out", "sheets.pdf");
  assert.equal(written.code, 0, written.err);
  assert.match(written.err, /^4 sheets written/);
  const sheets = readFileSync(inFolder("sheets.pdf"));
  const scan = async (name: string, stack: Parameters<typeof scanOf>[0], dpi = 100) => {
    writeFileSync(inFolder(name), await scanOf(stack, { sheets, numbers, dpi }));
  };
  return { server, reference, run, inFolder, scan };
}

test("a scan becomes a script for each learner, once, and the rest problem pages", async (t) => {
  const { server, reference, run, scan } = await classOnPaper(t);
  await scan("scan.pdf", [
    "x",
    ...["#1", "_", "1a", "1b"],
    ...(["#2", "2a", "2b"] as const).map((name) => [name, { turned: 180, tilted: 2 }] as const),
    ...["#2024/3", "3a", "3b", "4a", "4b", "#1", "1c"],
  ] as Parameters<typeof scanOf>[0]);
  const { learners } = JSON.parse(
    (await run("class", "list", reference, "list.csv", "--json")).out,
  );
  assert.equal(learners.length, 4, "the class is the list");
  const split = await run("class", "split", reference, "scan.pdf", "--json");
  assert.equal(split.code, 0, split.err);
  const report = JSON.parse(split.out);
  assert.deepEqual(
    report.scripts.map((one: Record<string, unknown>) => [one.number, one.name, one.pages]),
    [
      ["1", "Zanele One", 3],
      ["2", "Bongani Two", 2],
      ["2024/3", "Chipo Three", 2],
    ],
  );
  assert.deepEqual([report.missing, report.double, report.unknown], [["4"], ["1"], []]);
  assert.match(split.err, /No cover sheet was found of: 4\./);
  assert.match(split.err, /scan\.pdf page 1 is before the first cover sheet\./);
  const pictures = await server.query<{ name: string; bytes: Buffer }>(
    "SELECT name, page_images.bytes FROM page_images JOIN uploaded_files ON uploaded_files.id = file_id WHERE field = 'scannedPages' ORDER BY file_id, page",
  );
  const pages = await Promise.all(
    pictures.map(async ({ name, bytes }) => {
      const answer = await readAnswer(Buffer.from(bytes));
      return `${name}: ${answer ? `${answer.name} ${answer.turned}` : "no answer"}`;
    }),
  );
  assert.deepEqual(pages, [
    ...["1.pdf: 1a 0", "1.pdf: 1b 0", "1.pdf: no answer", "2.pdf: 2a 0", "2.pdf: 2b 0"],
    ...["2024_3.pdf: 3a 0", "2024_3.pdf: 3b 0", "scan page 1.pdf: x 0"],
    ...["scan page 12.pdf: 4a 0", "scan page 13.pdf: 4b 0", "scan page 15.pdf: 1c 0"],
  ]);
  const before = await server.query("SELECT id FROM uploaded_files");
  const again = await run("class", "split", reference, "scan.pdf");
  assert.equal(again.code, 0, again.err);
  assert.match(again.err, /Split before, and left as it is: scan\.pdf\./);
  assert.deepEqual(await server.query("SELECT id FROM uploaded_files"), before);
  const receipt = await (await fetch(`${server.url}/?received=${reference}`)).text();
  assert.doesNotMatch(receipt, /scan page|2024_3/);
});

test("wrong scans are said in a sentence, and nothing is stored", async (t) => {
  const { server, reference, run, inFolder, scan } = await classOnPaper(t);
  await scan("plain.pdf", ["a", "b", "c"]);
  writeFileSync(inFolder("text.pdf"), "no PDF");
  const rejected: [args: string[], code: number, says: RegExp][] = [
    [["plain.pdf"], 1, /plain\.pdf has no cover sheet that can be read; nothing was stored/],
    [["text.pdf"], 1, /text\.pdf: is damaged\. Nothing was stored\./],
    [["none.pdf"], 1, /none\.pdf cannot be read: it does not exist/],
    [["plain.pdf", "--pages", "0"], 2, /--pages takes a whole number/],
  ];
  for (const [args, code, says] of rejected) {
    const { code: actual, err } = await run("class", "split", reference, ...args);
    assert.match(err, says);
    assert.equal(actual, code, err);
  }
  assert.deepEqual(await server.query("SELECT 1 FROM scans"), []);
  const cut = await run("class", "split", reference, "plain.pdf", "--pages", "2");
  assert.equal(cut.code, 0, cut.err);
  assert.equal(cut.out, "new  plain pages 1 to 2  2 pages\n");
  assert.match(cut.err, /plain\.pdf page 3 is left over/);
});

test("problem pages are given, turned, discarded and put back, without script", async (t) => {
  const { server, reference, run, scan } = await classOnPaper(t);
  await scan("scan.pdf", [["x", { turned: 90 }], "#1", "1a", "#2", "2a", "3a", "#4", "4a"]);
  const split = await run("class", "split", reference, "scan.pdf");
  assert.match(split.err, /3 scripts, 2 problem pages\./);
  const open = async (...args: string[]) => {
    const { out } = await run("marking", "open", reference, "--marker", "N. Dlamini", ...args);
    return out.trim().slice(server.url.length);
  };
  const desk = await open("--names");
  const problems = `${desk}&view=problems`;
  const read = async (path = problems) => {
    const { status, bytes } = await sendRequest(server.url, path);
    return { status, html: bytes.toString() };
  };
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
    (
      await server.query(
        "SELECT action FROM audit WHERE action LIKE '%problem%' OR action LIKE 'scan%'",
      )
    ).map(({ action }) => action),
    ["scan split", "problem pages given", "problem pages discarded", "problem pages put back"],
  );

  const restricted = [await open(), await open("--names", "--learners", "1")];
  for (const link of restricted) {
    assert.equal((await read(`${link}&view=problems`)).status, 404);
    assert.doesNotMatch((await read(link)).html, /Problem pages/);
    const token = new URLSearchParams(link.split("?")[1]).get("link")!;
    const own = image.replace(/marking\/[^/]+/, `marking/${token}`);
    assert.equal((await sendRequest(server.url, own)).status, 404);
    const form = formsIn((await read()).html)[0]!;
    const path = `${link}&view=problems`;
    const forbidden = await postForm(server.url, { ...form, action: path }, "discard", {
      [one!]: "on",
    });
    assert.ok([400, 403].includes(forbidden.status), String(forbidden.status));
  }
});

test("a link without names shows numbers and no name on any page or file", async (t) => {
  const { server, reference, run, scan } = await classOnPaper(t);
  await scan("scan.pdf", ["#1", "1a", "#2", "2a", "#2024/3", "3a"]);
  await run("class", "split", reference, "scan.pdf");
  const sheet = (await run("results", "template", reference, "--questions", "1")).out
    .replace(/^(.?)Title,.*$/m, "$1Title,Plants")
    .replace(/^Question,.*$/m, "Question,,,1.1,")
    .replace(/^Description,.*$/m, "Description,,,Terms,")
    .replace(/^Out of,.*$/m, "Out of,,,3,");
  writeFileSync(path.join(server.folder, "sheet.csv"), sheet);
  const imported = await run("results", "import", reference, "sheet.csv");
  assert.equal(imported.code, 0, imported.err);
  const { out } = await run("marking", "open", reference, "--marker", "N. Dlamini");
  const start = out.trim().slice(server.url.length);
  const seen = new Set<string>();
  const queue = [start];
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
