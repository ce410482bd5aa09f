/** Educators decide a class of 30 in Chromium while the server is killed ten times and the line is cut. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { closeBrowser, openPage, scripted } from "../../support/browser.ts";
import { openLine } from "../../support/line.ts";
import { publishClass } from "../../support/results.ts";
import { newFolder, startServer } from "../../support/server.ts";

after(closeBrowser);

const learners = 30;
const kills = 10;

/** Gives a mark on the desk, or agrees; repeated until the page says that it is decided. */
type Decide = (page: Page, form: Locator, mark: number | undefined) => Promise<void>;

const journeys: { name: string; options: BrowserContextOptions; decide: Decide; sign: Sign }[] = [
  { name: "only by keyboard at 1280 px", options: {}, decide: byKeyboard, sign: signByKeyboard },
  {
    name: "on a phone of 360 px",
    options: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
    decide: byTouch,
    sign: signByPress,
  },
  {
    name: "without script",
    options: { javaScriptEnabled: false },
    decide: byForms,
    sign: signByPress,
  },
];

type Sign = (page: Page) => Promise<void>;

for (const { name, options, decide, sign } of journeys) {
  test(`a class of ${learners} is decided and signed ${name}`, { timeout: 600_000 }, async (t) => {
    const folder = newFolder(t);
    const server = await startServer(t, { folder });
    const link = (await publishClass(server, learners)).replace("#demo", "");
    const line = await openLine(t, server.url);
    const page = await openPage(t, options, /.*/);
    page.setDefaultTimeout(5_000);
    // The page may be gone before its dialog is answered.
    page.on("dialog", (dialog) => dialog.accept().catch(() => {}));
    const ended = new AbortController();
    const chaos = killAgainAndAgain(t, server, line, ended.signal);
    for (let learner = 1; learner <= learners; learner += 1) {
      // The second question first, so that agreeing with what is left of the learner decides only the first one.
      for (const [done, question] of ["1.2", "1.1"].entries()) {
        const answer = `&view=mark&order=learner&learner=${learner}&question=${question}`;
        // A person looks at which answer it is: the desk may have gone on to the next one.
        const form = page.locator(`form[action*="learner=${learner}&question=${question}"]`);
        await persistently(
          page,
          line.url + link.replace("/?results=", "/marking?link=") + answer,
          async () => {
            const decided = 2 * (learner - 1) + done + 1;
            const progress = page.getByText(`${decided} of ${2 * learners} decided`).first();
            if (await progress.isVisible()) return;
            await decide(page, form, question === "1.1" ? undefined : learner % 10);
            await progress.waitFor();
          },
        );
      }
    }
    ended.abort();
    const { last, killed } = await chaos;
    assert.equal(killed, kills, "all kills were before the end");
    page.setDefaultTimeout(45_000);
    await page.goto(line.url + link);
    await sign(page);
    await page.getByText("Signed by T. Example on").waitFor();
    const rows = await last().query(
      `SELECT file_name, question_number, to_marks FROM decisions
         JOIN submissions ON submissions.id = submission_id ORDER BY submissions.id, question_number`,
    );
    // The first question was agreed with, as its proposal is of 20 marks.
    const expected = Array.from({ length: learners }, (_, index) => [
      { file_name: `learner-${index + 1}.txt`, question_number: "1.1", to_marks: 20 },
      { file_name: `learner-${index + 1}.txt`, question_number: "1.2", to_marks: (index + 1) % 10 },
    ]);
    assert.deepEqual(rows, expected.flat());
    assert.equal((await last().query("SELECT 1 FROM signatures")).length, 1);
  });
}

/** Kills the server and cuts the line with it; it is back a moment later. */
async function killAgainAndAgain(
  t: TestContext,
  first: Awaited<ReturnType<typeof startServer>>,
  line: Awaited<ReturnType<typeof openLine>>,
  ended: AbortSignal,
) {
  let server = first;
  let killed = 0;
  while (!ended.aborted && killed < kills) {
    await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1500));
    await server.stop("SIGKILL");
    line.cut();
    killed += 1;
    server = await startServer(t, { folder: first.folder });
    line.restore(server.url);
  }
  return { last: () => server, killed };
}

/** Opens the page and does the work, again after the line was cut: a busy machine takes half a minute to restart. */
async function persistently(page: Page, url: string, work: () => Promise<void>): Promise<void> {
  const end = Date.now() + 120_000;
  for (;;) {
    try {
      await page.goto(url);
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Presses Tab until the focus is on an element with this text. */
async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement!;
      return element.textContent || (element as HTMLInputElement).labels?.[0]?.textContent || "";
    });
    if (text.test(focused)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${text}`);
}

async function byKeyboard(page: Page, _: Locator, mark: number | undefined): Promise<void> {
  await scripted(page);
  if (mark === undefined) {
    await page.keyboard.press("a");
    return;
  }
  await page.keyboard.type(String(mark));
  await page.keyboard.press("Enter");
}

async function byTouch(page: Page, form: Locator, mark: number | undefined): Promise<void> {
  await scripted(page);
  await (await buttonFor(form, mark)).tap();
}

async function byForms(_: Page, form: Locator, mark: number | undefined): Promise<void> {
  await (await buttonFor(form, mark)).click();
}

/** Types the mark, if there is one. Returns the button to press. */
async function buttonFor(form: Locator, mark: number | undefined): Promise<Locator> {
  if (mark === undefined) return form.getByRole("button", { name: /^Agree with/ }).first();
  await form.getByLabel("Marks, of 30").fill(String(mark));
  return form.getByRole("button", { name: "Save and next" });
}

async function signByKeyboard(page: Page): Promise<void> {
  await tabTo(page, /^Sign the marks/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Your name/);
  await page.keyboard.type("T. Example");
  await page.keyboard.press("Enter");
}

async function signByPress(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("T. Example");
  await page.getByRole("button", { name: "Sign the marks" }).click();
}
