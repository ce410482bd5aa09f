import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { once } from "../../app/server/system/once.ts";
import { wholeFile } from "../support/at-end.ts";
import {
  allSent,
  closeBrowser,
  holdRequests,
  openPage,
  scripted,
  violations,
  watchScripts,
} from "../support/browser.ts";
import { column, columns } from "../support/columns.ts";
import {
  openLink,
  prepareClass,
  readDesk,
  storeRenderings,
  typeQuestions,
  withStore,
} from "../support/desk.ts";
import { formOf, postForm } from "../support/html-forms.ts";
import { emptyServer, type Server, setUpOnce, until } from "../support/server.ts";

after(closeBrowser);

const isPost = (request: Request) => request.method() === "POST";

/** The marks that were decided, in their order. */
const decidedMarks = async (server: Server) =>
  column(await server.query("SELECT to_marks FROM decisions ORDER BY id"), "to_marks");

const headingOf = (page: Page, learner: number, question = "1.1") =>
  page.getByRole("heading", { name: `Learner ${learner}, question ${question}` });

async function enter(page: Page, marks: string) {
  await page.keyboard.type(marks);
  await page.keyboard.press("Enter");
}

async function prepareClassOf(count: number, server: Server) {
  const names = Array.from({ length: count }, (_, index) => `${index + 1}.txt`);
  const desk = await prepareClass(server, names);
  const token = await openLink(server, desk);
  await storeRenderings(server, token);
  return { server, desk, token };
}

const prepareFour = setUpOnce((server) => prepareClassOf(4, server));

const prepareNine = setUpOnce((server) => prepareClassOf(9, server));

const prepare = async (count?: number) =>
  count ? prepareClassOf(count, await emptyServer()) : prepareFour();

/** The files whose first page a desk fetches. It fetches that of an answer ahead once it has the answer. */
function filesFetchedBy(page: Page): Set<string> {
  const files = new Set<string>();
  page.on("request", (request) => {
    const [, file] = /\/pages\/(\d+)\/1$/.exec(request.url()) ?? [];
    if (file) files.add(file);
  });
  return files;
}

/** Opens the first answer, and waits until the others are fetched ahead. */
async function startMarking(t: TestContext) {
  const { server, desk, token } = await prepare();
  const page = await openPage(t, { bypassCSP: true }, /ERR_INTERNET_DISCONNECTED|status of 40[34]/);
  const fetched = filesFetchedBy(page);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  const heading = (learner: number) => headingOf(page, learner);
  await scripted(page);
  await until(() => fetched.size === desk.ids.length);
  const status = (hasText: string | RegExp) =>
    page.getByRole("status").filter({ hasText }).waitFor();
  return { server, desk, page, heading, status };
}

test("the next answer is there before the server has stored a mark", async (t) => {
  const { server, page, heading, status } = await startMarking(t);
  const gate = await holdRequests(page, "**/marking?*", isPost);
  await enter(page, "2,5");
  await heading(2).waitFor();
  assert.deepEqual(await decidedMarks(server), []);
  gate.resolve();
  await status(/^Saved \d\d:\d\d: Learner 1, question 1\.1/);
  await page.unrouteAll({ behavior: "wait" });
  assert.ok(await page.getByText("1 of 8 decided").first().isVisible());
  assert.deepEqual(await decidedMarks(server), [2.5]);
});

/** Opens the first of two answers, and waits until the second is fetched ahead. */
async function startWithTwoAnswers(t: TestContext) {
  const { server, token } = await prepare(1);
  const page = await openPage(t, {}, /ERR_INTERNET_DISCONNECTED/);
  // What comes after the second answer is asked for once that answer is here.
  const fetching = page.waitForRequest((request) => /ahead=\d+%3A1\.2/.test(request.url()));
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await fetching;
  const status = (hasText: string) => page.getByRole("status").filter({ hasText }).waitFor();
  return { server, page, status };
}

test("a mark with no answer ahead is posted only after the mark before it", async (t) => {
  const { page, status } = await startWithTwoAnswers(t);
  const posted: (string | null)[] = [];
  const gate = await holdRequests(page, "**/marking?*", (request) => {
    if (isPost(request)) posted.push(new URLSearchParams(request.postData()!).get("question"));
    return isPost(request) && posted.length === 1;
  });
  await enter(page, "2");
  await headingOf(page, 1, "1.2").waitFor();
  await enter(page, "1");
  await status("The last mark is still on its way.");
  // A post that does not wait was sent before this request.
  await page.evaluate(() => fetch("/healthz"));
  assert.deepEqual(posted, ["1.1"]);
  gate.resolve();
  await page.getByText("2 of 2 decided").first().waitFor();
  assert.ok(!(await headingOf(page, 1).isVisible()));
  assert.deepEqual(posted, ["1.1", "1.2"]);
  await page.locator("h2:focus", { hasText: "What is left" }).waitFor();
});

test("what is typed over an unsent mark stays when the marks are sent", async (t) => {
  const { server, page, status } = await startWithTwoAnswers(t);
  await page.context().setOffline(true);
  await enter(page, "2");
  await headingOf(page, 1, "1.2").waitFor();
  await enter(page, "1");
  await status("Not saved: Learner 1, question 1.2, mark 1.");
  await page.keyboard.type("4");
  await page.context().setOffline(false);
  await allSent(page);
  assert.equal(await page.locator("#marks").inputValue(), "4");
  assert.deepEqual(await decidedMarks(server), [2, 1]);
});

test("a mark that was given without a connection is sent once it is back", async (t) => {
  const { server, page, heading, status } = await startMarking(t);
  await page.keyboard.type("3");
  await page.context().setOffline(true);
  await page.keyboard.press("Enter");
  await status("Not saved: Learner 1, question 1.1, mark 3. Your mark is kept");
  await heading(2).waitFor();
  assert.deepEqual(await decidedMarks(server), []);
  let answeredPosts = 0;
  page.on("response", (response) => {
    if (response.request().method() === "POST") answeredPosts += 1;
  });
  await page.context().setOffline(false);
  await status(/^Saved: Learner 1, question 1\.1, mark 3/);
  assert.equal(answeredPosts, 1);
  assert.deepEqual(await decidedMarks(server), [3]);
});

test("a mark is kept and sent again if the page of a network responds to it", async (t) => {
  const { server, page, status } = await startMarking(t);
  const statuses = [403, 200];
  await page.route("**/marking?*", (route) => {
    const other = isPost(route.request()) && statuses.shift();
    if (!other) return route.fallback();
    return route.fulfill({ status: other, contentType: "text/html", body: "<p>Sign in</p>" });
  });
  await enter(page, "2");
  await status("Not saved: Learner 1, question 1.1, mark 2. Your mark is kept");
  await until(async () => {
    await page.evaluate(() => dispatchEvent(new Event("online")));
    return (await decidedMarks(server)).length > 0;
  });
  assert.deepEqual(await decidedMarks(server), [2]);
});

test("a mark that is given anew while another is sent again is not sent as it was", async (t) => {
  const { server, page, heading, status } = await startMarking(t);
  const mark = async (learner: number, marks: string) => {
    await heading(learner).waitFor();
    await enter(page, marks);
  };
  await page.context().setOffline(true);
  await mark(1, "3");
  await mark(2, "3");
  await status("Not saved: Learner 2, question 1.1, mark 3.");
  let posts = 0;
  const gate = await holdRequests(page, "**/marking?*", (request) => {
    if (isPost(request)) posts += 1;
    return isPost(request) && posts === 1;
  });
  await page.context().setOffline(false);
  await until(() => posts === 1);
  await page.keyboard.press("b");
  await mark(2, "2");
  await status(/^Saved \d\d:\d\d: Learner 2, question 1\.1: 2/);
  gate.resolve();
  await allSent(page);
  await page.unrouteAll({ behavior: "wait" });
  assert.deepEqual(await decidedMarks(server), [2, 3]);
  assert.equal(posts, 2);
});

test("a click on the next answer with Control or Shift is left to the browser", async (t) => {
  const { page } = await openFirstAnswer(t, await prepare());
  const clicks = await page.evaluateHandle(() => {
    const isPrevented: boolean[] = [];
    window.addEventListener("click", (event) => {
      isPrevented.push(event.defaultPrevented);
      event.preventDefault();
    });
    return isPrevented;
  });
  const link = page.getByRole("link", { name: "Next, without deciding" });
  for (const modifier of ["Control", "Shift"] as const) await link.click({ modifiers: [modifier] });
  assert.deepEqual(await clicks.jsonValue(), [false, false]);
});

/** The page of a first answer, for tests that save nothing. */
const firstAnswer = once(async () => {
  const { server, token } = await prepare();
  const page = await openPage(wholeFile, { bypassCSP: true });
  const scripts = watchScripts(page);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await scripted(page);
  return { page, size: await scripts.bytes(), paths: scripts.paths() };
});

test("the first answer takes at most 8.4 kB of script", async () => {
  const { size, paths } = await firstAnswer();
  assert.ok(size > 0, "the scripts were counted");
  assert.ok(size <= 8_400, `${size} bytes: ${paths}`);
});

test("a digit goes to the mark, unless the keys are switched off", async () => {
  const { page } = await firstAnswer();
  const field = page.getByRole("textbox", { name: "Marks, of 3" });
  await page.getByRole("checkbox", { name: /^Keys:/ }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("3");
  assert.equal(await field.inputValue(), "");
  await page.keyboard.press("Space");
  await page.keyboard.press("3");
  assert.equal(await field.inputValue(), "3");
  await field.clear();
});

test("keys that are switched off stay off on the next page", async (t) => {
  const { page } = await openFirstAnswer(t, await prepare());
  const keys = page.getByRole("checkbox", { name: /^Keys:/ });
  await keys.uncheck();
  await page.reload();
  await scripted(page);
  assert.equal(await keys.isChecked(), false);
});

test("screen readers know the place of sentences before the first sentence", async (t) => {
  const { page } = await openFirstAnswer(t, await prepare());
  assert.equal(await page.getByRole("status").textContent(), "");
});

test("B says that nothing was saved before the first mark", async () => {
  const { page } = await firstAnswer();
  await page.keyboard.press("b");
  await page.getByRole("status").filter({ hasText: "Nothing was saved before." }).waitFor();
});

/** Saves 2 marks for the first learner; the server gets them once the gate is open. */
async function saveBehindGate(t: TestContext) {
  const { server, desk, page, heading } = await startMarking(t);
  const gate = await holdRequests(page, "**/marking?*", isPost);
  await enter(page, "2");
  await heading(2).waitFor();
  const onItsWay = page.getByRole("status").filter({ hasText: "still on its way" });
  return { server, desk, page, heading, gate, onItsWay };
}

test("B goes back to a mark that is on its way once it is stored", async (t) => {
  const { server, page, heading, gate, onItsWay } = await saveBehindGate(t);
  await page.keyboard.press("b");
  await onItsWay.waitFor();
  assert.ok(await heading(2).isVisible());
  gate.resolve();
  await heading(1).waitFor();
  const field = page.getByRole("textbox", { name: "Marks, of 3" });
  assert.equal(await field.inputValue(), "2");
  await page.unrouteAll({ behavior: "wait" });
  await enter(page, "3");
  await allSent(page);
  assert.deepEqual(await decidedMarks(server), [2, 3]);
});

test("a marker who goes back with P to a mark on its way and then on is not taken back", async (t) => {
  const { desk, page, heading, gate, onItsWay } = await saveBehindGate(t);
  await page.keyboard.press("p");
  await onItsWay.waitFor();
  await page.keyboard.press("n");
  await heading(3).waitFor();
  const back = page.waitForResponse((response) => {
    const { searchParams } = new URL(response.url());
    const isFirst = searchParams.get("learner") === String(desk.ids[0]);
    return isFirst && !isPost(response.request());
  });
  gate.resolve();
  await (await back).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.ok(await heading(3).isVisible());
  await page.unrouteAll({ behavior: "wait" });
});

test("if another marker was faster, the marker chooses between both marks", async (t) => {
  const { server, desk, token } = await prepare();
  const page = await openPage(t, {}, /status of 409/);
  const fetched = filesFetchedBy(page);
  await page.goto(
    `${server.url}/marking?link=${token}&view=mark&learner=${desk.ids[2]}&question=1.1`,
  );
  await scripted(page);
  await until(() => fetched.size === 4);
  const other = await openLink(server, desk, { marker: "B. Nkosi" });
  const answer = { view: "mark", learner: desk.ids[2]!, question: "1.1" };
  const form = formOf((await readDesk(server, other, answer)).html, "save");
  assert.equal((await postForm(server.url, form, "save", { marks: "1" })).status, 303);
  await enter(page, "2");
  await headingOf(page, 4).waitFor();
  await page.locator(".not-saved", { hasText: "has changed" }).getByRole("link").click();
  await headingOf(page, 3).waitFor();
  await page.getByText("You typed this before and have not saved it. 1 is stored.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Marks, of 3" }).inputValue(), "2");
  await page.getByRole("button", { name: "Save and next" }).click();
  await headingOf(page, 4).waitFor();
  await until(async () => (await decidedMarks(server)).length === 2);
  assert.deepEqual(await decidedMarks(server), [1, 2]);
});

/** Opens the first answer of nine, and waits until the next five are fetched ahead with their pictures. */
async function startWithFiveAhead(t: TestContext) {
  const { server, desk, token } = await prepareNine();
  const page = await openPage(t, {}, /ERR_INTERNET_DISCONNECTED/);
  /** How often the page of an answer, or the picture of its first page, was fetched. */
  const fetches = new Map<string, number>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const answer = searchParams.has("learner") && request.method() === "GET" && searchParams;
    const key = answer ? `${answer.get("learner")}:${answer.get("question")}` : pathname;
    if (answer || /\/pages\/\d+\/1$/.test(key)) fetches.set(key, (fetches.get(key) ?? 0) + 1);
  });
  const pictures = () => [...fetches.keys()].filter((key) => key.includes("/pages/")).length;
  const mark = async (learner: number) => {
    await headingOf(page, learner).waitFor();
    await enter(page, "2");
  };
  await page.goto(
    `${server.url}/marking?link=${token}&view=mark&learner=${desk.ids[0]}&question=1.1`,
  );
  await scripted(page);
  await until(() => pictures() === 6);
  return { server, desk, page, fetches, pictures, mark };
}

test("five answers are fetched ahead, none of them twice", async (t) => {
  const { fetches, pictures, mark } = await startWithFiveAhead(t);
  await mark(1);
  await until(() => pictures() === 7);
  assert.deepEqual(
    [...fetches].filter(([, count]) => count > 1),
    [],
  );
});

test("of six marks that are given while the line is cut, none is lost", async (t) => {
  const { server, desk, page, pictures, mark } = await startWithFiveAhead(t);
  await mark(1);
  await until(() => pictures() === 7);
  await page.context().setOffline(true);
  for (const learner of [2, 3, 4, 5, 6, 7]) await mark(learner);
  const notSaved = page.locator(".not-saved li");
  const last = notSaved
    .nth(5)
    .filter({ hasText: "Not saved yet: Learner 7, question 1.1, mark 2" });
  await last.waitFor();
  await page.context().setOffline(false);
  await headingOf(page, 8).waitFor();
  await page.getByText("7 of 18 decided").first().waitFor();
  assert.equal(await notSaved.count(), 0);
  await mark(8);
  await headingOf(page, 9).waitFor();
  await allSent(page);
  const stored = await server.query("SELECT submission_id AS id FROM decisions ORDER BY id");
  assert.deepEqual(
    column(stored, "id"),
    desk.ids.slice(0, 8),
    "each mark is stored once, in order",
  );
});

/** Opens the first answer. `scroll` shows the second page; `assertThere` asserts that a second page is at the same place. */
async function openSecondPage(t: TestContext, prepared = prepare()) {
  const { server, desk, token } = await prepared;
  // With motion, a place that is not scrolled to at once is not the same.
  const page = await openPage(t, { reducedMotion: "no-preference" });
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await scripted(page);
  const heading = (learner: number, question?: string) => headingOf(page, learner, question);
  const figure = page.locator(".work figure").nth(1);
  const place = () =>
    figure.evaluate((figure) => {
      const { left, top } = figure.getBoundingClientRect();
      return [left, top].map(Math.round);
    });
  let seen: number[] = [];
  const scroll = async () => {
    await figure.evaluate((figure) => {
      figure.scrollIntoView({ block: "start", inline: "start", behavior: "instant" });
      window.scrollBy({ top: 100, behavior: "instant" });
    });
    seen = await place();
  };
  /** To a pixel: the browser rounds. */
  const assertThere = async () => {
    const now = await place();
    const far = Math.max(...now.map((one, index) => Math.abs(one - seen[index]!)));
    assert.ok(far <= 1, `${now} in place of ${seen}`);
  };
  const mark = () => enter(page, "1");
  return { server, desk, token, page, heading, scroll, assertThere, mark };
}

test("the next script opens at the page of the question, at each width", async (t) => {
  const { page, heading, scroll, assertThere, mark } = await openSecondPage(t, prepareNine());
  let learner = 1;
  for (const [width, height] of [
    [1280, 800],
    [768, 1024],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await scroll();
    for (const _ of [1, 2]) {
      await mark();
      learner += 1;
      await heading(learner).waitFor();
      await assertThere();
    }
  }
});

test("another question opens at the top of its script", async (t) => {
  const { page, heading, scroll, mark } = await openSecondPage(t);
  await scroll();
  await mark();
  await heading(2).waitFor();
  // A mark that is not stored yet would be sent again.
  await allSent(page);
  assert.ok((await page.evaluate(() => window.scrollY)) > 0);
  // Not by Playwright's click, which may scroll: the desk would keep that as the marker's place.
  await page
    .getByRole("link", { name: "Go on with this learner’s other questions" })
    .evaluate((link: HTMLAnchorElement) => link.click());
  await heading(2, "1.2").waitFor();
  await scripted(page);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
});

test("a script with a stamp for the question opens at the stamp", async (t) => {
  const { server, desk, token, page, heading, scroll, assertThere, mark } = await openSecondPage(t);
  await scroll();
  await mark();
  await heading(2).waitFor();
  await allSent(page);
  await withStore(server, async (store) => {
    const answer = { learnerId: desk.ids[2]!, questionNumber: "1.1", order: "question" as const };
    const found = await store.findAnswer(token, answer, new Date());
    if ("state" in found) throw new Error(found.state);
    const [{ fileId }] = found.work as [(typeof found.work)[0]];
    const whole = { page: 1, paragraph: null, x: null, y: null, kind: "tick" as const, text: "" };
    await store.placeStamp(token, answer, { fileId, ...whole }, new Date());
  });
  await page.reload();
  await scripted(page);
  await assertThere();
  await mark();
  await heading(3).waitFor();
  const first = page.locator(".work figure").first();
  assert.ok(await first.evaluate((figure) => figure.getBoundingClientRect().top > 0));
});

/** Opens the first answer of a link with its script. `at` waits for a learner's first question. */
async function openFirstAnswer(
  t: TestContext,
  { server, token }: { server: Server; token: string },
  before?: (page: Page) => Promise<unknown>,
) {
  const page = await openPage(t, { bypassCSP: true }, /ERR_FAILED/);
  await before?.(page);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await scripted(page);
  const at = (learner: number) => headingOf(page, learner).waitFor();
  await at(1);
  return { page, at };
}

/** Opens the first answer in a tab that can fetch nothing ahead. */
const openWithoutAhead = async (t: TestContext) =>
  openFirstAnswer(t, await prepare(), (page) =>
    page.route("**/marking?*ahead=*", (route) => route.abort()),
  );

test("N leads on although nothing can be fetched ahead", async (t) => {
  const { page, at } = await openWithoutAhead(t);
  for (const learner of [2, 3, 4]) {
    await page.keyboard.press("n");
    await at(learner);
  }
});

test("under a link that was closed meanwhile, a tab does not go on asking for answers", async (t) => {
  const { server, page, heading } = await startMarking(t);
  await server.change("UPDATE marking_links SET revoked_at = '2026-01-01T00:00:00.000Z'");
  await enter(page, "2");
  await page.getByText("Not stored: Learner 1, question 1.1, mark 2.").first().waitFor();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("ahead=")) asked += 1;
  });
  const rejected = page.waitForResponse((response) => response.url().includes("ahead="));
  await page.keyboard.press("n");
  await heading(3).waitFor();
  await rejected;
  // A tab that goes on asks once more during each of these.
  for (let request = 0; request < 10; request += 1) await page.evaluate(() => fetch("/healthz"));
  assert.ok(asked < 5, `${asked} requests`);
});

test("a mark typed while no next answer is there is not added to the one before", async (t) => {
  const { page, at } = await openWithoutAhead(t);
  const gate = await holdRequests(page, "**/marking?*", isPost);
  const field = page.locator("#marks");
  await enter(page, "1.5");
  await page.getByRole("status").filter({ hasText: "still on its way" }).waitFor();
  await page.keyboard.type("2");
  assert.equal(await field.inputValue(), "1.5");
  gate.resolve();
  await at(2);
});

test("a mark that cannot be sent takes no focus from what is typed meanwhile", async (t) => {
  const { page } = await openWithoutAhead(t);
  const gate = Promise.withResolvers<void>();
  await page.route("**/marking?*", async (route) => {
    await gate.promise;
    await route.abort();
  });
  await enter(page, "1.5");
  await page.getByRole("status").filter({ hasText: "still on its way" }).waitFor();
  const comment = page.getByRole("textbox", { name: "Comment for the learner" });
  await comment.focus();
  gate.resolve();
  await page.locator(".not-saved").waitFor();
  await page.keyboard.type("See 3.");
  assert.equal(await comment.inputValue(), "See 3.");
  assert.equal(await page.locator("#marks").inputValue(), "1.5");
});

test("a comment that is typed while a mark is on its way stays, and is saved with the mark", async (t) => {
  const { page } = await openWithoutAhead(t);
  const gate = await holdRequests(page, "**/marking?*", isPost);
  await enter(page, "1.5");
  await page.getByRole("status").filter({ hasText: "still on its way" }).waitFor();
  const comment = commentField(page);
  await comment.pressSequentially("a 3.");
  await comment.press("Home");
  const seen = page.locator('#mark-form [name="seen"]');
  assert.equal(await seen.inputValue(), "0", "no decision");
  gate.resolve();
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor();
  await page.keyboard.type("See");
  await until(async () => (await seen.inputValue()) !== "0");
  await page.keyboard.type(" ");
  assert.equal(await comment.inputValue(), "See a 3.");
  await page.getByRole("button", { name: "Save and next" }).click();
  await until(async () => (await comment.inputValue()) === "");
});

test("P leads to the answer before, and B to the one saved last, after which those that were left come again", async (t) => {
  const prepared = await prepare();
  const { page, at } = await openFirstAnswer(t, prepared);
  await enter(page, "2");
  await at(2);
  await allSent(page);
  for (const [key, learner] of [
    ["n", 3],
    ["p", 2],
    ["b", 1],
  ] as const) {
    await page.keyboard.press(key);
    await at(learner);
  }
  assert.equal(await page.locator("#marks").inputValue(), "2");
  await enter(page, "3");
  await at(2);
  await page.keyboard.press("n");
  await at(3);
  await allSent(page);
  assert.deepEqual(await decidedMarks(prepared.server), [2, 3]);
});

test("one press turns all pages of a script", async (t) => {
  const prepared = await prepare();
  const { server } = prepared;
  const { page } = await openFirstAnswer(t, prepared);
  await page.getByRole("button", { name: "Turn all pages of this script, as page 2" }).click();
  await page.getByRole("status").filter({ hasText: "Turned." }).waitFor();
  assert.equal(await page.locator(".turned").count(), 2);
  assert.equal((await server.query("SELECT * FROM page_turns WHERE turn = 90")).length, 2);
});

/** Adds a fifth learner, who has no work. Returns the id. */
async function addLearner({ server, token }: { server: Server; token: string }) {
  const learner = { number: "5", name: "Zoe" };
  await withStore(server, (store) =>
    store.changeLearners(token, { change: "add", learner }, new Date()),
  );
  const [added] = await server.query<{ id: number }>("SELECT max(id) AS id FROM submissions");
  return added!.id;
}

test("an answer of a learner without work has no axe violation", async (t) => {
  const prepared = await prepare();
  const { server, token } = prepared;
  const added = await addLearner(prepared);
  const page = await openPage(t, { bypassCSP: true });
  await page.goto(`${server.url}/marking?link=${token}&view=mark&learner=${added}&question=1.1`);
  await scripted(page);
  await headingOf(page, 5).waitFor();
  assert.deepEqual(await violations(page), []);
});

test("with a mark in the field too, the other answers of an absent learner do not come", async (t) => {
  const prepared = await prepare(1);
  const added = await addLearner(prepared);
  let fetching: Promise<Request> | undefined;
  const { page, at } = await openFirstAnswer(t, prepared, async (page) => {
    // What comes after the other answer is asked for once that answer is here.
    fetching = page.waitForRequest((request) => request.url().includes(`ahead=${added}%3A1.2`));
  });
  await fetching;
  await page.keyboard.press("n");
  await at(5);
  await page.keyboard.type("2");
  await page.getByRole("button", { name: "Absent" }).click();
  await headingOf(page, 1, "1.2").waitFor();
  const absent = await prepared.server.query(
    "SELECT id FROM submissions WHERE no_grade = 'absent'",
  );
  assert.deepEqual(absent, [{ id: added }]);
  await page.keyboard.press("n");
  await at(1);
});

/** Opens the first of four answers with a proposal. */
async function startWithProposals(t: TestContext) {
  const { server, desk, token } = await prepare();
  await server.change(
    `UPDATE submissions SET question_marks = json_set(question_marks, '$[0].marksAwarded', 1)`,
  );
  const page = await openPage(t, {}, /status of 422|ERR_INTERNET_DISCONNECTED/);
  const fetched = filesFetchedBy(page);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  const field = page.getByRole("textbox", { name: "Marks, of 3" });
  const untilAt = async (learner: number) => {
    await headingOf(page, learner).waitFor();
    await page.locator("#marks:focus").waitFor();
    assert.equal(await page.evaluate(() => window.scrollY), 0);
  };
  await untilAt(1);
  const untilOthersAreHere = () => until(() => fetched.size === desk.ids.length);
  return { server, page, field, untilAt, untilOthersAreHere };
}

const agreeButton = (page: Page) => page.getByRole("button", { name: "Agree with 1 and go on" });
const commentField = (page: Page) => page.getByRole("textbox", { name: "Comment for the learner" });

test("agreeing keeps another mark that is typed on the page", async (t) => {
  const { server, page, field } = await startWithProposals(t);
  await commentField(page).fill("Line 3 is right.");
  await field.fill("2");
  await agreeButton(page).click();
  await page.getByText("Your mark is not the 1 that is proposed.").first().waitFor();
  assert.equal(await commentField(page).inputValue(), "Line 3 is right.");
  assert.equal(await field.inputValue(), "2");
  assert.deepEqual(await server.query("SELECT * FROM decisions"), []);
});

test("a comment that is typed while a mark is rejected, or a question sent, stays", async (t) => {
  const { page, field } = await startWithProposals(t);
  const comment = commentField(page);
  const typeDuring = async (text: string, send: () => Promise<unknown>) => {
    const gate = await holdRequests(page, "**/marking?*", isPost);
    const posting = page.waitForRequest(isPost);
    await send();
    await posting;
    await comment.focus();
    await page.keyboard.press("End");
    await page.keyboard.type(text);
    gate.resolve();
  };
  await typeDuring("See ", () => enter(page, "9"));
  await page.getByText("9 is more than the 3 of this question.").first().waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, "the status says it alone");
  await page.keyboard.type("3");
  assert.equal(await comment.inputValue(), "See 3");
  assert.equal(await field.inputValue(), "9");
  await page.getByText("Ask the lead", { exact: true }).click();
  await page.getByLabel("Question to the lead").fill("Is 4 right?");
  await typeDuring(" and 4.", () => page.getByRole("button", { name: "Ask", exact: true }).click());
  await page.getByText("You asked the lead:").waitFor();
  assert.equal(await comment.inputValue(), "See 3 and 4.");
});

test("agreeing without a connection sends the comment that is typed once it is back", async (t) => {
  const { server, page, untilAt, untilOthersAreHere } = await startWithProposals(t);
  await commentField(page).fill("Line 3 is right.");
  await untilOthersAreHere();
  await page.context().setOffline(true);
  await agreeButton(page).click();
  await untilAt(2);
  await page.getByRole("link", { name: "Learner 1, question 1.1, mark 1" }).waitFor();
  await page.context().setOffline(false);
  await allSent(page);
  const decided = await server.query("SELECT how, to_marks, comment FROM decisions");
  assert.deepEqual(decided, [{ how: "agreed", to_marks: 1, comment: "Line 3 is right." }]);
});

test("a comment that was used before is read whole on a phone, with a long address", async (t) => {
  const { server, token } = await prepare();
  const form = formOf((await readDesk(server, token, { view: "mark" })).html, "save");
  const used = { marks: "2", comment: `See https://school.example/${"memo".repeat(20)}` };
  assert.equal((await postForm(server.url, form, "save", used)).status, 303);
  const page = await openPage(t, { viewport: { width: 360, height: 800 } });
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await page.getByText("Comments used before on this question").click();
  const comment = page.getByRole("button", { name: "See https" });
  const { x, width } = (await comment.boundingBox())!;
  assert.ok(x + width <= 360, `${x} and ${width} px`);
  const cutOff = await comment.evaluate((one) => one.scrollWidth - one.clientWidth);
  assert.ok(cutOff <= 0, `${cutOff} px are cut off`);
});

const howDecided = async ({ query }: Server) =>
  columns(await query("SELECT how, to_marks FROM decisions"), "how", "to_marks");

test("A agrees with what is proposed, once while it is held down", async (t) => {
  const { server, page, field, untilAt } = await startWithProposals(t);
  await page.keyboard.down("a");
  await untilAt(2);
  await page.keyboard.down("a");
  await page.keyboard.up("a");
  await untilAt(2);
  assert.equal(await field.inputValue(), "");
  await allSent(page);
  assert.deepEqual(await howDecided(server), [["agreed", 1]]);
});

test("a double click agrees with no answer that was not seen", async (t) => {
  const { server, page, untilOthersAreHere } = await startWithProposals(t);
  await untilOthersAreHere();
  await agreeButton(page).dblclick();
  await headingOf(page, 2).waitFor();
  await allSent(page);
  assert.deepEqual(await howDecided(server), [["agreed", 1]]);
});

test("Enter that is held down saves no answer after the one that is seen", async (t) => {
  const { server, page, heading, status } = await startMarking(t);
  await page.keyboard.type("2");
  await page.keyboard.down("Enter");
  await heading(2).waitFor();
  await page.keyboard.type("1");
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await status(/^Saved/);
  assert.ok(await heading(2).isVisible());
  assert.deepEqual(await decidedMarks(server), [2]);
});

test("a digit replaces a mark that was decided", async (t) => {
  const { page, field, untilAt } = await startWithProposals(t);
  await enter(page, "2");
  await untilAt(2);
  await allSent(page);
  await page.keyboard.press("b");
  await untilAt(1);
  await page.keyboard.press("a");
  assert.equal(await field.inputValue(), "2", "no key of the desk is typed");
  await page.keyboard.press("3");
  assert.equal(await field.inputValue(), "3");
});

test("a digit replaces a mark that was rejected", async (t) => {
  const { page, field } = await startWithProposals(t);
  await enter(page, "9");
  await page.getByText("9 is more than the 3 of this question.").first().waitFor();
  await page.locator("#marks[aria-invalid]:focus").waitFor();
  await page.keyboard.press("1");
  assert.equal(await field.inputValue(), "1");
});

const memo = "thick leaves (1); deep roots (1); spines (1); wax (½)";
const lines = `1.1 | 3 | Names adaptations | ${memo}\n1.2 | 5 | Explains`;

/** A class whose first question has points. */
const preparePoints = setUpOnce(async (server) => {
  const prepared = await prepareClassOf(4, server);
  const other = await openLink(server, prepared.desk, { marker: "S. Botha" });
  assert.equal((await typeQuestions(server, other, lines, [{}])).status, 303);
  return { ...prepared, other };
});

/** Opens the first answer of a question with points. */
async function startWithPoints(t: TestContext) {
  const { server, token, other } = await preparePoints();
  const page = await openPage(t, {}, /status of (409|422)/);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  const field = page.getByRole("textbox", { name: "Marks, of 3" });
  const untilAt = async (learner: number) => {
    await headingOf(page, learner).waitFor();
    await page.locator("#marks:focus").waitFor();
  };
  const press = async (keys: string) => {
    for (const key of keys) await page.keyboard.press(key === "." ? "Enter" : key);
  };
  await untilAt(1);
  /** The marks of each decision, and how many points are ticked in it. */
  const decided = async () => {
    const rows = await server.query<{ to_marks: number; points: string }>(
      "SELECT to_marks, points FROM decisions ORDER BY id",
    );
    return rows.map(({ to_marks, points }) => [to_marks, points.match(/true/g)?.length]);
  };
  return { server, other, page, field, untilAt, press, decided };
}

test("keys tick points that add up, to no more than the question has", async (t) => {
  const { page, field, untilAt, press, decided } = await startWithPoints(t);
  assert.deepEqual(await page.locator(".memo-points kbd").allTextContents(), ["Q", "W", "E", "R"]);
  for (const [keys, sum] of [
    ["qr", "1.5"],
    ["we", "3"],
    ["q", "2.5"],
  ] as const) {
    await press(keys);
    assert.equal(await field.inputValue(), sum, keys);
  }
  await press(".");
  await untilAt(2);
  await allSent(page);
  assert.deepEqual(await decided(), [[2.5, 3]]);
});

test("a digit replaces the sum of the points, which stay ticked", async (t) => {
  const { page, field, untilAt, press, decided } = await startWithPoints(t);
  await press("qw1");
  assert.equal(await field.inputValue(), "1");
  await press(".");
  await untilAt(2);
  await allSent(page);
  assert.deepEqual(await decided(), [[1, 2]]);
});

test("an answer that is saved empty is said to have no mark, unless points are ticked", async (t) => {
  const { page, field, untilAt, press, decided } = await startWithPoints(t);
  await press(".");
  await page
    .getByText(/^Not stored: Learner 1, question 1\.1, no mark\. Question 1\.1: Tick/)
    .waitFor();
  await press("q");
  await field.fill("");
  await press(".");
  await untilAt(2);
  await allSent(page);
  assert.deepEqual(await decided(), [[1, 1]]);
});

test("an answer whose points change while it is open is ticked again", async (t) => {
  const { server, other, page, field, untilAt, press, decided } = await startWithPoints(t);
  await press("we.");
  await untilAt(2);
  await allSent(page);
  await press("w");
  const dearer = lines.replace("deep roots (1)", "deep roots (2)");
  const changed = await typeQuestions(server, other, dearer, [{ changesDecided: "on" }]);
  assert.equal(changed.status, 303);
  assert.deepEqual((await decided()).at(-1), [3, 2]);
  await press(".");
  await page.getByText("The points of this question have changed").first().waitFor();
  await page.getByRole("link", { name: /^Learner 2, question 1\.1/ }).click();
  await untilAt(2);
  assert.equal(await field.inputValue(), "2", "the tick adds up again");
  await press(".");
  await untilAt(3);
  await allSent(page);
  assert.deepEqual((await decided()).at(-1), [2, 1]);
});

/** The page of an answer with points and a proposal to look at first, whose mark was rejected: tests leave it there. */
const rejectedAnswer = once(async () => {
  const { server, token } = await preparePoints();
  await server.change(
    `UPDATE submissions SET question_marks = json_set(question_marks, '$[0].marksAwarded', 1, '$[0].feedback', 'One of three.', '$[0].unsure', json('true'))`,
  );
  const page = await openPage(wholeFile, { bypassCSP: true }, /status of 422/);
  await page.goto(`${server.url}/marking?link=${token}&view=mark`);
  await page.getByRole("checkbox", { name: "thick leaves" }).waitFor();
  await page.getByLabel("Marks, of 3").fill("9");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.getByText("9 is more than the 3 of this question.").first().waitFor();
  return page;
});

for (const [width, colorScheme] of [
  [1280, "light"],
  [320, "dark"],
] as const) {
  test(`an answer with points whose mark is wrong has no axe violation at ${width}, ${colorScheme}`, async () => {
    const page = await rejectedAnswer();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await violations(page), []);
  });
}

test("an answer whose mark is wrong does not scroll sideways on a phone", async () => {
  const page = await rejectedAnswer();
  await page.setViewportSize({ width: 320, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});

test("on a phone each mark of the overview has its question", async (t) => {
  const { server, token } = await prepare();
  const page = await openPage(t, { viewport: { width: 360, height: 740 } });
  await page.goto(`${server.url}/marking?link=${token}`);
  const labels = await page
    .locator(".grid tbody tr:first-child td")
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
  assert.deepEqual(labels, ['"1.1"', '"1.2"']);
});

test("the questions are printed as typed, without their form", async (t) => {
  const { server, token } = await prepare();
  const page = await openPage(t);
  await page.goto(`${server.url}/marking?link=${token}&view=questions`);
  const typed = page.locator("#lines");
  await typed.waitFor();
  await page.emulateMedia({ media: "print" });
  await typed.waitFor({ state: "hidden" });
  await page.locator("pre").waitFor();
  assert.equal(await page.locator("pre").textContent(), await typed.inputValue());
});

test("questions that are typed, or came back, and are not saved are not left unasked", async (t) => {
  const { server, token } = await prepare();
  const page = await openPage(t, {}, /status of 422/);
  await page.goto(`${server.url}/marking?link=${token}&view=questions`);
  await scripted(page);
  await page.getByLabel("Questions, one line each").press("ControlOrMeta+End");
  await page.keyboard.type("\n1.3 | two | Names a plant");
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    void dialog.dismiss();
  });
  const overview = page.getByRole("link", { name: "Overview" });
  await overview.click();
  await until(() => asked === 1);
  const save = page.getByRole("button", { name: "Save the questions" });
  await save.click();
  const lines = page.locator("#lines[aria-invalid]");
  await lines.waitFor();
  await scripted(page);
  await overview.click();
  await until(() => asked === 2);
  await lines.fill((await lines.inputValue()).replace("two", "2"));
  await save.click();
  await save.waitFor({ state: "detached" });
  assert.equal(asked, 2, "saving them asks nothing");
});

test("after a tick by its key N, P and B are keys, and not typed into the marks", async (t) => {
  const { page, field, untilAt, press } = await startWithPoints(t);
  await press("q.");
  await untilAt(2);
  await press("w");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  for (const key of ["n", "p", "b"]) {
    await press(key);
    await until(() => asked.length > 0);
    assert.deepEqual(asked.splice(0), ["beforeunload"], key);
    assert.equal(await field.inputValue(), "1", key);
  }
});
