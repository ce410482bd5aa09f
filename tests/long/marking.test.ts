/**
 * Six markers behind one address mark a class of 40 learners, eight questions and 240 pages at once, four of them without
 * script and two in a browser, while servers are killed.
 */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { type Balancer, startBalancer } from "../support/balancer.ts";
import { closeBrowser, openPage, scripted } from "../support/browser.ts";
import { referenceIn } from "../support/forms.ts";
import { formsIn, postForm } from "../support/html-forms.ts";
import { pdfOfPages, textLines } from "../support/pdf-bytes.ts";
import { newDatabase, queryPostgres } from "../support/postgres.ts";
import { sendRequest } from "../support/send-request.ts";
import { newFolder, runCommand, type Server, startServer, until } from "../support/server.ts";
import { threeFiles, uploadByApi, uploadForm } from "../support/upload.ts";

after(closeBrowser);

/** The default, which one address must not meet. */
const limits = { RUBRICON_POSTS_PER_10_MINUTES: "60" };
const kills = 10;
const learners = 40;
const questions = 8;
const pagesPerLearner = 6;
const withScript = ["A. One", "B. Two"];
const withoutScript = ["C. Three", "D. Four", "E. Five", "F. Six"];

/** An answer whose page has confirmed its mark. */
interface Confirmed {
  answer: string;
  marks: number;
}

/** What the markers have seen. */
interface Seen {
  confirmed: Confirmed[];
  /** Statuses of responses that tell people to wait. */
  limited: number[];
  /** Aborted when the test has ended. */
  signal: AbortSignal;
}

/** A server or two behind a balancer. */
interface Site {
  balancer: Balancer;
  servers: Server[];
  /** Starts a server of the site. */
  start(number: number): Promise<Server>;
  run(...args: string[]): ReturnType<typeof runCommand>;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

async function startSite(t: TestContext, count: number): Promise<Site> {
  const balancer = await startBalancer(t);
  const folders = Array.from({ length: count }, () => newFolder(t));
  const env: Record<string, string> = { ...limits };
  if (count > 1) env.RUBRICON_DATABASE_URL = await newDatabase(t);
  const start = (number: number) => startServer(t, { folder: folders[number]!, env });
  const servers = await Promise.all(folders.map((_, number) => start(number)));
  balancer.use(servers.map(({ url }) => url));
  const run = (...args: string[]) =>
    runCommand(folders[0]!, args, { ...env, RUBRICON_PUBLIC_URL: balancer.url });
  const url = env.RUBRICON_DATABASE_URL;
  const query = (sql: string) => (url ? queryPostgres(url, sql) : servers[0]!.query(sql));
  return { balancer, servers, start, run, query };
}

/** Uploads the class and sets its questions. Returns a link for each marker, by name. */
async function openDesk({ balancer, run }: Site): Promise<Map<string, string>> {
  const [paper, memo] = threeFiles();
  const scripts = Array.from({ length: learners }, (_, learner) => ({
    field: "submissionFiles" as const,
    name: `${learner + 1}.pdf`,
    bytes: pdfOfPages(
      Array.from({ length: pagesPerLearner }, (_, page) => ({
        content: textLines([`Learner ${learner + 1}, page ${page + 1}`, "Leaves are thick."]),
      })),
    ),
  }));
  const form = uploadForm([paper!, memo!, ...scripts]);
  const reference = await referenceIn(await uploadByApi(balancer.url, form));
  const links = new Map<string, string>();
  for (const marker of [...withScript, ...withoutScript]) {
    const { out, err } = await run("marking", "open", reference, "--marker", marker);
    assert.ok(out.startsWith(balancer.url), err);
    links.set(marker, out.trim().slice(balancer.url.length));
  }
  const [link] = links.values();
  const { bytes } = await sendRequest(balancer.url, `${link}&view=questions`);
  const lines = Array.from({ length: questions }, (_, index) => `${index + 1} | 10`).join("\n");
  const [set] = formsIn(bytes.toString());
  const { status } = await postForm(balancer.url, set!, "questions", { title: "Plants", lines });
  assert.equal(status, 303);
  return links;
}

for (const [name, count] of [
  ["one file", 1],
  ["two servers with PostgreSQL", 2],
] as const) {
  test(`through ten kills six markers decide every answer once: ${name}`, async (t) => {
    const site = await startSite(t, count);
    const links = await openDesk(site);
    const seen: Seen = { confirmed: [], limited: [], signal: t.signal };
    const work = [...links].map(([marker, link]) =>
      withScript.includes(marker)
        ? markInBrowser(t, site.balancer.url + link, seen)
        : markByForms(site.balancer.url, link, seen),
    );
    const all = Promise.all(work);
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    all.then(end, end);
    const answers = learners * questions;
    for (let kill = 0; kill < kills; kill += 1) {
      const enough = Math.floor(((kill + 1) * answers) / (kills + 2));
      await until(() => isDone || seen.confirmed.length >= enough, 600_000);
      if (isDone) break;
      const number = kill % count;
      await site.servers[number]!.stop("SIGKILL");
      site.servers[number] = await site.start(number);
      site.balancer.use(site.servers.map(({ url }) => url));
    }
    assert.ok(!isDone, "all kills were before the end");
    await all;
    await assertDecided(t, site, links, seen);
  });
}

async function assertDecided(
  t: TestContext,
  { query, balancer }: Site,
  links: Map<string, string>,
  { confirmed, limited }: Seen,
): Promise<void> {
  t.diagnostic(`${confirmed.length} answers confirmed`);
  assert.deepEqual(limited, [], "no marker meets a limit");
  const found = await query(
    "SELECT submission_id, question_number, to_marks, decided_by FROM decisions",
  );
  assert.equal(found.length, learners * questions, "every answer is decided once");
  const stored = new Map(
    found.map((row) => [`${row.submission_id} ${row.question_number}`, row.to_marks]),
  );
  assert.equal(stored.size, found.length, "no answer is decided twice");
  // A marker's mark is confirmed, and not stored again, if another marker has just given the same.
  for (const { answer, marks } of confirmed) {
    assert.equal(stored.get(answer), marks, `the mark of ${answer}`);
  }
  for (const [marker, link] of links) {
    assert.ok(
      found.some((row) => row.decided_by === marker),
      `${marker} has decided`,
    );
    const grid = (await sendRequest(balancer.url, link)).bytes.toString();
    const cells = [
      ...grid.matchAll(/learner=(\d+)&amp;question=(\d+)"[^>]*>(?:(?!<\/a>).)*<ins>(\d+)<\/ins>/gs),
    ];
    assert.equal(cells.length, learners * questions);
    for (const [, learner, question, marks] of cells) {
      assert.equal(Number(marks), marksOf(learner!, question!), `learner ${learner}, ${question}`);
    }
  }
}

/** Depends on the answer, so that a mark at the wrong answer is found. */
const marksOf = (learner: string, question: string) => (Number(learner) + Number(question)) % 10;

const isAllDecided = (html: string) => />(\d+) of \1 decided/.test(html);

/** Marks without script until nothing is left, and sends what was not confirmed again. */
async function markByForms(url: string, link: string, seen: Seen): Promise<void> {
  const first = `${link}&view=mark`;
  let next = first;
  for (;;) {
    const page = await persistently(seen, () => sendRequest(url, next));
    const html = page.bytes.toString();
    const form = formsIn(html).find(({ buttons }) => buttons.some(({ value }) => value === "save"));
    if (page.headers.location) next = page.headers.location;
    else if (!form) {
      assert.equal(page.status, 200, html);
      if (isAllDecided(html)) return;
      // Other markers have the rest open.
      await pause();
      next = first;
    } else {
      const { searchParams } = new URL(form.action, url);
      const learner = searchParams.get("learner")!;
      const question = searchParams.get("question")!;
      const marks = marksOf(learner, question);
      const filled = { marks: String(marks) };
      const saved = await persistently(seen, () => postForm(url, form, "save", filled));
      // A 409: it is another marker's already.
      assert.ok(saved.status === 303 || saved.status === 409, String(saved.status));
      if (saved.status === 303) seen.confirmed.push({ answer: `${learner} ${question}`, marks });
      next = saved.headers.location ?? first;
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

type Response = Awaited<ReturnType<typeof sendRequest>>;

/** Sends a request until a server responds; they are killed now and then. */
async function persistently(
  { limited, signal }: Seen,
  send: () => Promise<Response>,
): Promise<Response> {
  for (;;) {
    signal.throwIfAborted();
    const response = await send().catch(() => undefined);
    if (response && isLimited(response.status)) limited.push(response.status);
    else if (response && response.status < 500) return response;
    await pause();
  }
}

const isLimited = (status: number) => status === 429 || status === 503;

/** Marks by keyboard with script until nothing is left; the page sends again what was not confirmed. */
async function markInBrowser(
  t: TestContext,
  link: string,
  { confirmed, limited, signal }: Seen,
): Promise<void> {
  const page = await openPage(t, {}, /Failed to load|fetch dynamically|was preloaded/);
  page.setDefaultTimeout(5000);
  page.on("dialog", (dialog) => dialog.accept());
  page.on("response", (response) => {
    if (isLimited(response.status())) limited.push(response.status());
    const request = response.request();
    if (request.method() !== "POST" || response.status() !== 303) return;
    const { searchParams } = new URL(request.url());
    const answer = `${searchParams.get("learner")} ${searchParams.get("question")}`;
    const marks = Number(new URLSearchParams(request.postData() ?? "").get("marks"));
    confirmed.push({ answer, marks });
  });
  for (;;) {
    signal.throwIfAborted();
    const response = await page.goto(`${link}&view=mark`).catch(() => undefined);
    // While a server is killed, Chromium may show a page of its own.
    if (response && (await page.locator(".mark-form").count()) > 0) {
      await markOnPage(page).catch(() => {});
    } else if (response && isAllDecided(await page.content())) return;
    await pause();
  }
}

/** Types marks and Enter until the page has no answer any more, or cannot save. */
async function markOnPage(page: Page): Promise<void> {
  // If its server was killed before the script was loaded, the page works as it does without.
  await scripted(page).catch(() => {});
  const heading = page.locator("#answer");
  for (;;) {
    const { before, action } = await page.locator(".mark-form").evaluate((form) => ({
      before: document.querySelector("#answer")!.textContent,
      action: (form as HTMLFormElement).action,
    }));
    const { searchParams } = new URL(action);
    const marks = marksOf(searchParams.get("learner")!, searchParams.get("question")!);
    await page.locator("#marks").fill(String(marks));
    await page.keyboard.press("Enter");
    // A mark that cannot be sent stays in the page, which sends it again: with no answer ahead it is still there.
    const isNext = await until(async () => {
      if ((await heading.count()) === 0) return "no";
      return (await heading.textContent()) !== before ? "yes" : undefined;
    }).catch(() => "no");
    if (isNext === "no") return;
  }
}
