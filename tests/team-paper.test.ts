/** A class on paper: cover sheets, its scans by command and on the team's page, and pages that belong to no learner. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { maxScanBytes, scanPartBytes } from "../app/domain/scan-upload.ts";
import { uploadHeaders } from "../app/forms/machine-fields.ts";
import { once } from "../app/server/system/once.ts";
import { column, columns } from "./support/columns.ts";
import { formsIn, postForm } from "./support/html-forms.ts";
import { succeeded } from "./support/output-of.ts";
import type { Leaf } from "./support/paper.ts";
import { classOnPaper } from "./support/paper-class.ts";
import { teamToken, uploadSubmissions } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import {
  newFolder,
  runCommand,
  type Server,
  setUpOnce,
  sharedServer,
  until,
} from "./support/server.ts";

/** One page is before the first cover sheet, and the second learner's script has one too many. */
const withTwoProblems: Leaf[] = [["x", { turned: 90 }], "#1", "1a", "#2", "2a", "3a", "#4", "4a"];

/** Splits a scan with two problem pages. */
const splitScan = setUpOnce(async (server) => {
  const made = await classOnPaper(server);
  const { reference, run, scan } = made;
  await scan("scan.pdf", withTwoProblems, 50);
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

test("a scan is split once", async () => {
  const { reference, run } = await classWithProblems();
  const again = await run("class", "split", reference, "scan.pdf");
  assert.match(
    again.err,
    /Split before, and left as it is: scan\.pdf\. Problem pages .*\n0 scripts/,
  );
});

test("class split takes no folder and no empty file for a scan", async () => {
  const { reference, run, inFolder } = await classWithProblems();
  writeFileSync(inFolder("empty.pdf"), "");
  for (const [file, said] of [
    [".", /^rubricon: \. is not a file\.$/m],
    ["empty.pdf", /^rubricon: empty\.pdf is empty\.$/m],
  ] as const) {
    const { code, err } = await run("class", "split", reference, file);
    assert.equal(code, 1);
    assert.match(err, said);
  }
});

/** The two problem pages as the lead sees them, with functions that read them and post their form. */
const problemPages = setUpOnce(async () => {
  const { server, open, read: readPage } = await classWithProblems();
  const problems = `${await open("--names")}&view=problems`;
  const read = async (url = problems) => (await readPage(url)).html;
  const html = await read();
  const [other, one] = [...html.matchAll(/name="(page-\d+)"/g)].map(([, name]) => name!);
  const learner = /<option value="(\d+)">Chipo Three/.exec(html)![1]!;
  const post = async (filled: Record<string, string>, intent?: string) =>
    postForm(server.url, formsIn(await read())[0]!, intent, filled);
  const give = () => post({ [one!]: "on", to: learner }, "give");
  const selectFile = "SELECT file_name FROM submissions WHERE learner_number = '2024/3'";
  const files = async () => column(await server.query(selectFile), "file_name");
  return { server, html, read, post, give, files, one: one!, other: other!, learner };
});

test("problem pages are shown with their pictures and the reasons", async () => {
  const { server, html } = await problemPages();
  assert.match(html, /Problem pages \(2\)/);
  assert.match(
    html,
    /scan\.pdf, page 1<.*before the first.*scan\.pdf, page 6<.*beyond the 1 page that most/s,
  );
  const images = [...html.matchAll(/src="([^"]*\/pages\/[^"]*)"/g)].map(([, url]) => url!);
  assert.equal(new Set(images).size, 2);
  for (const image of images) {
    assert.equal((await sendRequest(server.url, image)).headers["content-type"], "image/webp");
  }
});

test("problem pages have no boxes for a person who may change nothing", async () => {
  const { server, html, read } = await problemPages();
  await server.change(
    "INSERT INTO signatures (assessment_id, signed_by, created_at) SELECT id, 'T. Example', '2026-11-01T00:00:00.000Z' FROM assessments",
  );
  const signed = await read();
  assert.match(html, /type="checkbox"/);
  assert.match(signed, /scan\.pdf, page 1</);
  assert.doesNotMatch(signed, /type="checkbox"/);
});

test("problem pages are given only if pages of the class and a learner are chosen", async () => {
  const { post, files, one, learner } = await problemPages();
  for (const [filled, status] of [
    [{ to: learner }, 422],
    [{ [one]: "on" }, 422],
    [{ [one]: "on", to: "99999" }, 404],
    [{ "page-99999": "on", to: learner }, 404],
    [{ [one]: "on", to: "x" }, 400],
  ] as [Record<string, string>, number][]) {
    assert.equal((await post(filled, "give")).status, status, JSON.stringify(filled));
  }
  assert.deepEqual(await files(), ["no file (2024/3)"]);
});

test("turning a problem page without JavaScript keeps what is ticked and chosen", async () => {
  const { html, read, post, one, learner } = await problemPages();
  const turn = formsIn(html)[0]!.buttons.find(({ name }) => name === "turn")!.value;
  const turned = await post({ turn, [one]: "on", to: learner });
  assert.equal(turned.status, 303);
  const kept = await read(turned.headers.location!.split("#")[0]);
  assert.match(kept, new RegExp(`<input(?=[^>]* checked)[^>]* name="${one}"`));
  assert.match(kept, new RegExp(`<option value="${learner}" selected=""`));
  assert.match(kept, /rotate\(90\)/);
});

test("a problem page that is given is its learner's work until it is put back", async () => {
  const { read, post, give, files, one, learner } = await problemPages();
  assert.equal((await give()).status, 303);
  assert.deepEqual(await files(), ["scan page 6.pdf"]);
  const given = await read();
  assert.match(given, /Problem pages \(1\).*given to Chipo Three \(2024\/3\)/s);
  const back = formsIn(given)
    .flatMap(({ buttons }) => buttons)
    .find(({ name }) => name === "back")!.value;
  assert.equal(back, `${one.slice(5)}-${learner}`);
  assert.equal((await post({ back })).status, 303);
  assert.deepEqual(await files(), ["no file (2024/3)"]);
  assert.match(await read(), /Problem pages \(2\)/);
});

test("a problem page that is discarded is no problem any more", async () => {
  const { read, post, other } = await problemPages();
  assert.equal((await post({ [other]: "on" }, "discard")).status, 303);
  assert.match(await read(), /Problem pages \(1\).*discarded/s);
});

test("what happens to problem pages is recorded in the audit", async () => {
  const { server, post, give, one, other, learner } = await problemPages();
  await give();
  await post({ [other]: "on" }, "discard");
  await post({ back: `${one.slice(5)}-${learner}` });
  const rows = await server.query(
    "SELECT action FROM audit WHERE action LIKE '%problem%' OR action LIKE 'scan%' ORDER BY id",
  );
  const done = ["given", "discarded", "put back"].map((what) => `problem pages ${what}`);
  assert.deepEqual(column(rows, "action"), ["scan split", ...done]);
});

test("problem pages are open to no link without names or of some learners", async () => {
  const { server, open, read } = await classWithProblems();
  const { html } = await read(`${await open("--names")}&view=problems`);
  const form = formsIn(html)[0]!;
  const [, page] = /name="(page-\d+)"/.exec(html)!;
  const [, image] = /src="([^"]*\/pages\/[^"]*)"/.exec(html)!;
  for (const [kind, link] of Object.entries({
    "without names": await open(),
    "of some learners": await open("--names", "--learners", "1"),
  })) {
    const action = `${link}&view=problems`;
    assert.equal((await read(action)).status, 404, kind);
    assert.doesNotMatch((await read(link)).html, /Problem pages/, kind);
    const token = new URLSearchParams(link.split("?")[1]).get("link")!;
    const own = image!.replace(/marking\/[^/]+/, `marking/${token}`);
    assert.equal((await sendRequest(server.url, own)).status, 404, kind);
    const forbidden = await postForm(server.url, { ...form, action }, "discard", { [page!]: "on" });
    assert.equal(forbidden.status, 404, kind);
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

const by = "L. Lead";

async function openClass(names = ["ben.txt", "cleo.txt"]) {
  const server = await sharedServer();
  const reference = await uploadSubmissions(server, names);
  return { server, reference, token: (await teamToken(server, reference))! };
}

/** A class with cover sheets, of which each test scans those of other learners. */
const openPaperClass = once(async () => {
  const server = await sharedServer();
  const made = await classOnPaper(server, ["1,Zanele One", "2024/3,Chipo Three"]);
  return { ...made, token: (await teamToken(server, made.reference))! };
});

const pageOf = async ({ url }: Server, token: string) =>
  (await fetch(`${url}/team?link=${token}`)).text();

async function post({ url }: Server, token: string, fields: Record<string, string | File>) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ by, ...fields })) body.append(name, value);
  const response = await fetch(`${url}/team?link=${token}`, { method: "POST", body });
  return { status: response.status, html: await response.text() };
}

const postScan = (server: Server, token: string, scan: File, more = {}) =>
  post(server, token, { intent: "class-scan", scan, ...more });

/** The requests of an upload by JavaScript, as `app/islands/form/upload-requests.ts` sends them. */
function uploadTo({ url }: Server, token: string, key = crypto.randomUUID()) {
  const path = `${url}/api/team/${token}/scan`;
  const send = async (more: Record<string, string>, body?: Uint8Array<ArrayBuffer>) => {
    const headers = { [uploadHeaders.draft]: key, ...more };
    const response = await fetch(path, { method: "POST", headers, body: body ?? null });
    return { status: response.status, ...(await response.json()) };
  };
  return {
    key,
    turn: () => send({ [uploadHeaders.turn]: "wait" }),
    part: (number: number, bytes: Uint8Array<ArrayBuffer>, name = "scan.pdf") =>
      send(
        {
          "Content-Type": "application/octet-stream",
          [uploadHeaders.number]: String(number),
          [uploadHeaders.field]: "scan",
          [uploadHeaders.name]: encodeURIComponent(name),
        },
        bytes,
      ),
    status: async () =>
      (await fetch(path, { headers: { [uploadHeaders.draft]: key } })).json() as Promise<{
        files: { number: number }[];
        reference: string | null;
      }>,
  };
}

const pdfStart = new Uint8Array(scanPartBytes).fill(10);
pdfStart.set(Buffer.from("%PDF-1.4\n"));

/** Resolves to the team's page once every scan of its class has been cut. */
const pageWithScans = (server: Server, token: string) =>
  until(async () => {
    const html = await pageOf(server, token);
    return /wait|being cut/.test(html) ? undefined : html;
  }, 300_000);

test("a scan whose parts arrived in any order is cut, and its parts are deleted", async () => {
  const { server, token, scan, inFolder } = await openPaperClass();
  await scan("one.pdf", ["#1", "1.1"], 50);
  const one = new Uint8Array(readFileSync(inFolder("one.pdf")));
  const upload = uploadTo(server, token);
  assert.deepEqual(await upload.turn(), { status: 200, places: 1 });
  const size = Math.min(scanPartBytes, Math.ceil(one.length / 2));
  const parts = [one.slice(0, size), one.slice(size)];
  for (const number of [1, 0, 1]) {
    assert.deepEqual(await upload.part(number, parts[number]!), {
      status: 201,
      id: number,
      isCrowded: false,
    });
  }
  assert.deepEqual(column((await upload.status()).files, "number"), [0, 1]);
  const rest = { intent: "class-scan", upload: upload.key, name: "scan.pdf" };
  const sent = await post(server, token, { ...rest, size: String(one.length) });
  assert.equal(sent.status, 200, sent.html);
  assert.match(await pageWithScans(server, token), /scan\.pdf: 1 script, 0 problem pages/);
  const left = `SELECT id FROM scan_parts WHERE upload_id =
    (SELECT id FROM scan_uploads WHERE upload_key = '${upload.key}')`;
  assert.deepEqual(await server.query(left), []);
});

/** An upload of a scan of one part, which has arrived, and a function that posts its form. */
async function arrivedScan() {
  const { server, reference, token } = await openClass();
  const upload = uploadTo(server, token);
  assert.equal((await upload.part(0, pdfStart)).status, 201);
  const form = { intent: "class-scan", upload: upload.key, name: "scan.pdf" };
  const send = (changed: Record<string, string> = {}) =>
    post(server, token, { ...form, size: String(pdfStart.length), ...changed });
  return { server, reference, token, upload, send };
}

test("the page says how much of a scan has arrived", async () => {
  const { server, token } = await arrivedScan();
  assert.match(await pageOf(server, token), /scan\.pdf: 1\.0 MB of it have arrived/);
});

test("a scan that has not arrived whole is not sent", async () => {
  const { send } = await arrivedScan();
  const short = await send({ size: "5" });
  assert.equal(short.status, 409);
  assert.match(short.html, /has not arrived whole/);
});

test("an upload of a scan is kept while its form lacks the name of the person", async () => {
  const { upload, send } = await arrivedScan();
  const unnamed = await send({ by: "" });
  assert.equal(unnamed.status, 422);
  assert.match(unnamed.html, new RegExp(`name="upload" value="${upload.key}"`));
});

test("an upload of a scan that is sent again is one scan and takes no more parts", async () => {
  const { server, reference, upload, send } = await arrivedScan();
  for (const _ of [1, 2]) {
    const sent = await send();
    assert.equal(sent.status, 200);
    assert.match(sent.html, /The scan has arrived/);
  }
  for (const rows of [
    `scan_uploads WHERE upload_key = '${upload.key}'`,
    `audit WHERE action = 'scan sent' AND reference = '${reference}'`,
  ]) {
    assert.equal((await server.query(`SELECT 1 FROM ${rows}`)).length, 1, rows);
  }
  assert.equal((await upload.status()).reference, upload.key);
  assert.equal((await upload.part(0, pdfStart)).code, "sent_before");
});

test("without JavaScript a scan is sent in one post", async () => {
  const { server, token, scan, inFolder } = await openPaperClass();
  await scan("two.pdf", ["3.0", "#2024/3", "3.1"], 50);
  const file = new File([new Uint8Array(readFileSync(inFolder("two.pdf")))], "two <b>.pdf");
  const plain = await postScan(server, token, file, { by: "P. Paper", pages: "" });
  assert.equal(plain.status, 200);
  const shown = await pageWithScans(server, token);
  assert.match(shown, /two &lt;b&gt;\.pdf: 1 script, 1 problem page/);
  assert.match(shown, /scan sent, by P\. Paper/);
});

test("the cover sheets of a class come as a PDF", async () => {
  const { server, token } = await openPaperClass();
  const sheets = await fetch(`${server.url}/api/team/${token}/sheets.pdf`);
  assert.equal(sheets.headers.get("Content-Type"), "application/pdf");
  assert.match(Buffer.from(await sheets.arrayBuffer()).toString("latin1", 0, 8), /^%PDF-/);
});

test("a part that is no PDF, too large, too far or badly named is rejected with its code", async () => {
  const { server, token } = await openClass();
  const upload = uploadTo(server, token);
  const large = new Uint8Array(scanPartBytes + 1);
  for (const [answer, rejection] of [
    [await upload.part(0, new Uint8Array([1, 2, 3])), [422, "not_a_pdf"]],
    [await upload.part(1, large), [413, "too_large"]],
    [await upload.part(maxScanBytes / scanPartBytes, pdfStart), [413, "too_large"]],
    [await uploadTo(server, token).part(0, pdfStart, "a\u0007b\u202Efdp.pdf"), [422, "bad_name"]],
  ] as const) {
    assert.deepEqual([answer.status, answer.code], rejection);
  }
});

test("a post without a PDF comes back with the reason and the name typed", async () => {
  const { server, token } = await openClass();
  const word = await postScan(server, token, new File(["no PDF"], "scan.pdf"));
  assert.equal(word.status, 422);
  assert.match(word.html, /This is not a PDF/);
  assert.match(word.html, /name="by" value="L\. Lead"/);
  const none = await post(server, token, { intent: "class-scan" });
  assert.equal(none.status, 400);
  assert.match(none.html, /The form was incomplete, and nothing was stored/);
  assert.match(none.html, /name="by" value="L\. Lead"/);
});

test("the upload of a scan is only under the link of its class", async () => {
  const { server, token } = await openClass();
  const other = await openClass();
  const unknown = uploadTo(server, "a".repeat(43));
  for (const answer of [await unknown.turn(), await unknown.part(0, pdfStart)]) {
    assert.deepEqual([answer.status, answer.code], [404, "not_found"]);
  }
  const upload = uploadTo(server, token);
  assert.equal((await upload.part(0, pdfStart)).status, 201);
  const theirs = uploadTo(server, other.token, upload.key);
  assert.deepEqual((await theirs.status()).files, [], "another class’s upload");
  const taken = { intent: "class-scan", upload: upload.key, size: String(scanPartBytes) };
  assert.equal((await post(server, other.token, taken)).status, 409);
  const discard = { intent: "class-discard", upload: upload.key };
  assert.equal((await post(server, other.token, discard)).status, 409);
  assert.equal((await post(server, token, discard)).status, 200);
});

test("a request for what has arrived of a scan names its upload", async () => {
  const { server, token } = await openClass();
  assert.equal((await fetch(`${server.url}/api/team/${token}/scan`)).status, 400);
});

test("a long scan that comes in one post is stored in parts", async () => {
  const { server, token } = await openClass();
  const file = new File([pdfStart, pdfStart, "end"], "long.pdf");
  const long = await postScan(server, token, file, { by: "" });
  const [, key] = /value="([\w-]+)"\/><input type="hidden" name="size"/.exec(long.html)!;
  const stored = await server.query<{ position: number; size: number }>(
    `SELECT position, size FROM scan_parts WHERE upload_id =
      (SELECT id FROM scan_uploads WHERE upload_key = '${key}') ORDER BY position`,
  );
  assert.deepEqual(
    columns(stored, "position", "size"),
    [0, 1, 2].map((position) => [position, position < 2 ? scanPartBytes : 3]),
  );
});

test("a class has at most eight scans that are not cut yet", async () => {
  const { server, token } = await openClass();
  const all = await Promise.all(
    Array.from({ length: 12 }, () => uploadTo(server, token).part(0, pdfStart)),
  );
  const full = all.filter(({ code }) => code === "too_many_scans");
  assert.equal(full.length, 4);
  assert.match(full[0]!.error, /8 scans of this class are not cut yet/);
  const one = await postScan(server, token, new File([pdfStart], "scan.pdf"));
  assert.match(one.html, /are not cut yet/);
});

test("a signed class takes no scan", async () => {
  const { server, reference, token } = await openClass();
  const started = uploadTo(server, token);
  assert.equal((await started.part(0, pdfStart)).status, 201);
  await server.change(
    `INSERT INTO signatures (assessment_id, signed_by, created_at)
      SELECT assessment_submissions.id, 'E. Ducator', contact_requests.created_at
      FROM assessment_submissions JOIN contact_requests
      ON contact_requests.id = contact_id WHERE reference = '${reference}'`,
  );
  const scans = async () => [
    await server.query("SELECT * FROM scan_uploads ORDER BY id"),
    await server.query("SELECT upload_id, scan, position FROM scan_parts ORDER BY 1, 2, 3"),
  ];
  const before = await scans();
  const part = await started.part(1, pdfStart);
  assert.deepEqual([part.status, part.code], [409, "signed"]);
  const signed = await uploadTo(server, token).turn();
  assert.deepEqual([signed.status, signed.code], [409, "signed"]);
  const plain = await postScan(server, token, new File([pdfStart], "scan.pdf"));
  assert.match(plain.html, /E\. Ducator has signed/);
  assert.deepEqual(await scans(), before);
});

/** A class, with a function that posts a file as its class list to be previewed. */
async function openPreview() {
  const { server, token } = await openClass();
  return (bytes: string | Uint8Array<ArrayBuffer>, name = "list.csv") =>
    post(server, token, { intent: "class-preview", list: "", listFile: new File([bytes], name) });
}

test("a class list may be chosen as a file", async () => {
  const preview = await openPreview();
  const shown = await preview("Number;Name\r\n7;Ben\r\n8;Cleo");
  assert.equal(shown.status, 200);
  assert.match(shown.html, /7 Ben: ben\.txt/);
  assert.match(shown.html, /name="list" value="Number;Name/);
});

test("a file that cannot be read as a class list is rejected with the reason", async () => {
  const preview = await openPreview();
  for (const [bytes, status, reason] of [
    ["PK\u0003\u0004rest", 422, /“Save as”.*CSV UTF-8/],
    [`Number,Name\n${"1,a\n".repeat(250_000)}`, 413, /more than 60 kB/],
    [Uint8Array.from([0x4e, 0xe9, 0x2c]), 422, /The list is not UTF-8/],
    ["Number,Name\n1,a\u0007", 422, /row 2: there is a character that cannot be read/],
    [`Number,Name\n${",\n".repeat(29_000)}`, 422, /there are no learners/],
  ] as const) {
    const rejected = await preview(bytes);
    assert.equal(rejected.status, status, String(reason));
    assert.match(rejected.html, reason);
  }
});

test("a pasted list that is too long comes back whole", async () => {
  const { server, token } = await openClass();
  const list = `Number,Name\n${"1,Anna\n".repeat(9_000)}`;
  const rejected = await post(server, token, { intent: "class-preview", list });
  assert.equal(rejected.status, 413);
  assert.match(rejected.html, /more than 60 kB/);
  assert.ok(rejected.html.includes(list.replaceAll("\n", "\r\n")));
});

/** A class of a list, with the id of one of its files and a function that changes whose work the file is. */
async function classOfFiles(name = "class.txt") {
  const { server, token } = await openClass(["class.txt", "ben.txt"]);
  const typed = { intent: "class-preview", list: "Number,Name\n8,Ben" };
  const [, version] = /name="version" value="(\w+)"/.exec((await post(server, token, typed)).html)!;
  await post(server, token, { ...typed, intent: "class-store", version: version! });
  const [, id] = new RegExp(`<option value="(\\d+ \\d+)">${name}`).exec(
    await pageOf(server, token),
  )!;
  const assign = (to: string) => post(server, token, { intent: "class-file", file: id!, to });
  return { id: id!, assign };
}

test("a file is taken from its learner and given to a new one", async () => {
  const { assign } = await classOfFiles();
  const taken = await assign("no script");
  assert.equal(taken.status, 200, taken.html);
  assert.match(
    taken.html,
    /Files that no learner has: class\.txt\..*file taken away, by L\. Lead/s,
  );
  const given = await assign("new learner");
  assert.match(given.html, />class\.txt \(\d+ class\)<.*file assigned, by L\. Lead/s);
});

test("a file is taken once, and given only to learners", async () => {
  const { assign } = await classOfFiles();
  for (const [to, status] of [
    ["no script", 200],
    ["no script", 409],
    ["x", 400],
  ] as const) {
    assert.equal((await assign(to)).status, status, to);
  }
});

test("a file that is not assigned comes back as it was chosen, in an open part of the page", async () => {
  const { id, assign } = await classOfFiles("ben.txt");
  const { status, html } = await assign("new learner");
  assert.equal(status, 409);
  assert.match(html, new RegExp(`<details open.*<option value="${id}" selected`, "s"));
  assert.match(html, /<option value="new learner" selected/);
});
