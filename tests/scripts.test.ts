/** Scripts given back: on the page of a private link, and as PDF files. */
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { renderFile } from "../app/desk/render-file.ts";
import { nothingElse } from "../app/domain/decision.ts";
import type { RenderedFile } from "../app/domain/page-image.ts";
import type { NewStamp, PageTurn } from "../app/domain/stamp.ts";
import { scriptParts } from "../app/server/results/compose-script.ts";
import { column, columns } from "./support/columns.ts";
import { openDesk, openLink, prepareClass, twoPages, withStore } from "./support/desk.ts";
import { succeeded } from "./support/output-of.ts";
import { pdfOfPages, textLines } from "./support/pdf-bytes.ts";
import { runResults, shareMarks } from "./support/results.ts";
import { sendRequest } from "./support/send-request.ts";
import { setUpOnce } from "./support/server.ts";
import { colourAt } from "./support/webp.ts";

const content = textLines(["Leaves and roots"]);
/** Upright; rotated and cropped; with a clip that is left on; and of another unit. */
const pages = pdfOfPages([
  { content },
  { content, entries: "/Rotate 90/CropBox[40 60 555 800]" },
  { content: `${content} 0 0 10 10 re W n`, entries: "/Rotate 180/MediaBox[-20 400 500 900]" },
  { content, entries: "/Rotate 270/UserUnit 2" },
]);

const places: [x: number, y: number][] = [
  [0.25, 0.5],
  [0.7, 0.2],
  [0.1, 0.9],
  [0.6, 0.6],
];

const render = (bytes: Buffer) => renderFile({ bytes, name: "out.pdf" });

const [page] = twoPages.kind === "pages" ? twoPages.pages : [];
/** As they are shown to the marker; a script that is given back has the pages of the file itself. */
const renderings: RenderedFile[] = [
  { kind: "pages", pages: places.map((_, index) => ({ ...page!, page: index + 1 })) },
  { kind: "paragraphs", paragraphs: ["First.", "Second."] },
];

const classWithStamps = setUpOnce(async (server) => {
  const names = ["Lerato Example.pdf", "ben.txt"];
  const bytesOf = (name: string) => (name === "ben.txt" ? Buffer.from("First.") : pages);
  const desk = await prepareClass(server, names, undefined, { bytesOf });
  const token = await openLink(server, desk);
  await withStore(server, async (store) => {
    const found = await openDesk(store, token);
    const now = new Date();
    for (const [index, { id, files }] of found.learners.entries()) {
      const { fileId } = files[0]!;
      await store.storeRendering(fileId, renderings[index]!, now);
      const answer = { learnerId: id, questionNumber: "1.1" };
      const place = async (stamp: Partial<NewStamp>) => {
        const none = { page: null, paragraph: null, x: null, y: null, kind: "cross", text: "" };
        const placed = { fileId, ...none, ...stamp } as NewStamp;
        const { outcome } = await store.placeStamp(token, answer, placed, now);
        assert.equal(outcome, "stored");
      };
      if (index === 1) {
        await place({ paragraph: 2, kind: "comment", text: "Ṱoḓo <b> here?" });
        continue;
      }
      for (const [position, [x, y]] of places.entries()) await place({ page: position + 1, x, y });
      await store.turnPage(token, answer, { fileId, page: 4, turn: 90 as PageTurn }, now);
      const { learnerId, questionNumber } = answer;
      const seen = { questionNumber, decisionId: 0, marks: null, importId: 0 };
      const given = { ...nothingElse, marks: 2.5, comment: "Name a third one." };
      await store.decideAnswer(token, { learnerId, seen, given, order: "question" }, now);
    }
  });
  return { server, desk, token };
});

const isRed = ([red = 0, green = 0, blue = 0]: number[]) => red > 140 && green < 90 && blue < 90;

/** What `results scripts` has written for the class, with a function that reads the pages of a PDF. */
const writtenScripts = setUpOnce(async () => {
  const { server, desk } = await classWithStamps();
  const args = ["scripts", desk.reference, "--out", "scripts", "--json"];
  const { scripts } = JSON.parse((await succeeded(runResults(server, args))).out);
  const read = async (name: string) => {
    const rendered = await render(readFileSync(path.join(server.folder, name)));
    if (rendered.kind !== "pages") throw new Error(JSON.stringify(rendered));
    return rendered.pages.map((one) => ({ ...one, words: one.text?.replace(/\s+/g, " ") ?? "" }));
  };
  const [lerato, ben] = column(scripts as { file: string }[], "file");
  return { server, desk, scripts, lerato: await read(lerato!), ben: await read(ben!) };
});

test("the total of a script has no question mark for the model’s doubt", () => {
  const mark = {
    questionNumber: "1",
    description: "",
    totalMarks: 9,
    marksAwarded: 5,
    feedback: "",
  };
  const learner = { studentName: "Lerato", fileName: "", grade: 56, feedback: "" };
  const submission = { ...learner, questionMarks: [{ ...mark, unsure: true as const }] };
  const results = { title: "", averageGrade: 56, totalSubmissions: 1, submissions: [submission] };
  const [first] = scriptParts(results, submission, []);
  assert.ok(first && "blocks" in first);
  assert.equal(first.blocks[0]!.right!.text, "5/9");
});

test("results scripts writes a PDF for each learner, which only its account may read", async () => {
  const { server, scripts } = await writtenScripts();
  assert.deepEqual(columns(scripts, "learner", "file", "missing"), [
    ["Lerato Example", "scripts/1 Lerato Example - unsigned.pdf", []],
    ["ben", "scripts/2 ben - unsigned.pdf", []],
  ]);
  for (const { file } of scripts) {
    assert.equal(statSync(path.join(server.folder, file)).mode & 0o777, 0o600, file);
  }
});

test("results scripts is recorded in the audit", async () => {
  const { server, desk } = await writtenScripts();
  const audit = await server.query("SELECT reference FROM audit WHERE action = 'scripts exported'");
  assert.deepEqual(audit, [{ reference: desk.reference }]);
});

test("the first page of a marked script has the marks and comments", async () => {
  const { lerato } = await writtenScripts();
  const { words } = lerato[0]!;
  assert.match(words, /Lerato Example –\/8 Plants, learner 1 Not signed yet/);
  assert.match(words, /1\.1 Names three adaptations 2\.5\/3 Name a third one\./);
  assert.match(words, /1\.2 Explains one of them –\/5 Total –\/8/);
});

test("a marked script has the upright pages of the file, with the stamps where they were placed", async () => {
  const { lerato } = await writtenScripts();
  const [, ...shown] = lerato;
  assert.equal(shown.length, 4);
  for (const [index, [x, y]] of places.entries()) {
    // The fourth page is turned clockwise, and its stamp with it.
    const [shownX, shownY] = index === 3 ? [1 - y, x] : [x, y];
    const { webp, width, height } = shown[index]!;
    assert.ok(isRed(await colourAt(webp, shownX, shownY)), `page ${index + 1}`);
    assert.ok(!isRed(await colourAt(webp, shownX + 0.1, shownY)), `beside it, page ${index + 1}`);
    assert.equal(width > height, index === 1 || index === 2, `page ${index + 1} is upright`);
  }
  for (const { words } of shown.slice(0, 2)) assert.match(words, /Leaves and roots/);
});

test("a marked script of paragraphs has them numbered, with the comments beside them", async () => {
  const { ben } = await writtenScripts();
  assert.match(ben[1]!.words, /1\. First\. 2\. Second\. Ṱoḓo <b> here\?/);
});

test("results scripts writes over no file", async () => {
  const { server, desk } = await classWithStamps();
  const args = ["scripts", desk.reference, "--out", "once"];
  await succeeded(runResults(server, args));
  const script = "once/1 Lerato Example - unsigned.pdf";
  writeFileSync(path.join(server.folder, script), "of the team");
  const again = await runResults(server, args);
  assert.equal(again.code, 1);
  assert.ok(again.err.includes(`${script} already exists; nothing was overwritten`), again.err);
  assert.equal(readFileSync(path.join(server.folder, script), "utf8"), "of the team");
});

test("results scripts writes the marks as they are once the pages are rendered", async () => {
  const { server, desk } = await classWithStamps();
  await server.change(
    "DELETE FROM rendered_files; CREATE TRIGGER queued AFTER INSERT ON class_jobs BEGIN UPDATE submissions SET student_name = 'Renamed'; END",
  );
  const { out } = await runResults(server, ["scripts", desk.reference, "--out", "late"]);
  await server.change("DROP TRIGGER queued");
  assert.match(out, /^late\/1 Renamed - unsigned\.pdf$/m);
});

test("results scripts needs a folder to write to", async () => {
  const { server, desk } = await classWithStamps();
  const { code, err } = await runResults(server, ["scripts", desk.reference]);
  assert.equal(code, 2);
  assert.match(err, /--out <folder>/);
});

/** Shares the marks. Returns the token, and a function that reads a page under the link. */
async function sharedScripts() {
  const { server, desk, token: marking } = await classWithStamps();
  const token = await shareMarks(server, desk.reference);
  const pageAt = async (query: string) =>
    (await sendRequest(server.url, `/?results=${token}${query}`)).bytes.toString();
  return { server, token, marking, pageAt };
}

test("a private link shows the script of a learner beside the marks, to read only", async () => {
  const { pageAt } = await sharedScripts();
  const learner = await pageAt("&learner=1");
  assert.equal(new Set(learner.match(/\/api\/results\/[\w-]+\/pages\/\d+\/\d/g)).size, 4);
  assert.match(learner, /alt="Page 1 of 4 of Lerato Example"/);
  assert.match(learner, /aria-label="Stamps on page 1 of 4 of Lerato Example"/);
  assert.doesNotMatch(learner, /type="image"|name="remove"/, "a reader places nothing");
});

test("the class and its slips are shown without scripts, unless slips are asked for with them", async () => {
  const { pageAt } = await sharedScripts();
  for (const query of ["", "&slips=1"])
    assert.doesNotMatch(await pageAt(query), /\/pages\//, query);
  const slips = await pageAt("&slips=1&scripts");
  assert.equal(new Set(slips.match(/\/pages\/\d+\/\d/g)).size, 4);
  assert.match(slips, /loading="eager"/, "printed without being scrolled to");
  assert.match(slips, /alt="Page 1 of 4 of Lerato Example"/);
  assert.match(slips, /Ṱoḓo &lt;b&gt; here\?/);
});

/** Shares the marks, and finds the picture of a page under the link. */
async function sharedPicture() {
  const { server, pageAt, ...shared } = await sharedScripts();
  const [url] = /\/api\/results\/[\w-]+\/pages\/\d+\/\d/.exec(await pageAt("&learner=1"))!;
  const get = (other: string) => sendRequest(server.url, other);
  return { ...shared, server, url, get, picture: await get(url) };
}

test("a page of a script is a picture that no cache, search engine or log keeps", async () => {
  const { server, token, picture } = await sharedPicture();
  assert.equal(picture.status, 200);
  assert.equal(picture.headers["content-type"], "image/webp");
  assert.equal(picture.headers["cache-control"], "no-store");
  assert.equal(picture.headers["x-robots-tag"], "noindex");
  assert.ok(!server.log().includes(token));
});

test("a page of a script opens only under its private link", async () => {
  const { token, marking, url, get, picture } = await sharedPicture();
  assert.equal(picture.status, 200);
  for (const other of [
    url.replace(token, "A".repeat(22)),
    url.replace(token, marking),
    url.replace(token, "sample"),
    url.replace(/\d$/, "9"),
    // Number() reads the same file.
    url.replace(/(?=\/\d$)/, "e0"),
  ]) {
    assert.equal((await get(other)).status, 404, other);
  }
});
