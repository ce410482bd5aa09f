import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { closeBrowser, openPage, scripted, violations } from "../../support/browser.ts";
import { txtFile } from "../../support/browser-forms.ts";
import { succeeded } from "../../support/output-of.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import {
  hundredQuestions,
  publishClass,
  resultsFor,
  runResults,
  shareClass,
} from "../../support/results.ts";
import { emptyServer, startServer } from "../../support/server.ts";

after(closeBrowser);

test("a sample that cannot be fetched leaves chosen files and offers a tab, and opens once the network is back", async (t) => {
  const server = await startServer(t);
  const page = await openPage(t, {}, /ERR_INTERNET_DISCONNECTED/);
  await page.goto(server.url);
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(txtFile("questions.txt"));
  await page.locator(".chosen", { hasText: "questions.txt" }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.getByText("The marks could not be fetched.").waitFor();
  const link = page.getByRole("link", { name: "Open the sample in a new tab" });
  assert.equal(await link.getAttribute("href"), "/?results=sample");
  assert.ok(await page.locator(".chosen", { hasText: "questions.txt" }).isVisible());
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Learner 01", exact: true }).waitFor();
});

/** Publishes a class of 50 of whom two have long comments; returns a function that prints its page. */
async function printFifty(t: TestContext) {
  const server = await startServer(t);
  const link = await publishClass(server, 50, (names) => {
    const file = resultsFor(names);
    for (const submission of file.submissions) submission.studentName += " of 50";
    return file;
  });
  const [request] = await server.query<{ reference: string }>("SELECT reference FROM inbox");
  const comment = "Say why, with a figure from the table, and then say what follows. ".repeat(60);
  for (const learner of ["learner-2.txt", "learner-5.txt"]) {
    for (const question of ["1.1", "1.2"]) {
      const args = ["mark", request!.reference, learner, question, "20", "--comment", comment];
      await succeeded(runResults(server, args));
    }
  }
  const page = await openPage(t);
  return async (query: string) => {
    await page.goto(server.url + link.replace("#demo", query));
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
}

test("a class of 50 is printed on two pages", async (t) => {
  const print = await printFifty(t);
  const report = await print("");
  assert.equal(report.length, 2);
  assert.match(report[1]!, /Learner 50 of 50/);
});

test("a slip of two pages has its learner's name on both", async (t) => {
  const print = await printFifty(t);
  for (const slips of [1, 2]) {
    const pages = await print(`&slips=${slips}`);
    assert.ok(pages.length > 50 / slips, "some slips have two pages");
    for (const text of pages) {
      const names = new Set([...text.matchAll(/Learner \d+ of 50/g)].map(([name]) => name));
      const totals = [...text.matchAll(/^Total/gm)].length;
      assert.ok(names.size >= 1 && names.size <= slips, text.slice(0, 200));
      assert.ok(totals <= names.size, `${totals} totals of ${[...names]}`);
    }
    const totals = pages.join("\n").matchAll(/^Total/gm);
    assert.equal([...totals].length, 50, `totals on sheets of ${slips}`);
  }
});

const word = "voortplantingsmeganismes";

/** Opens a class with long words on a narrow phone; `overflow` is how many pixels of an element are cut off. */
async function openLongWords(t: TestContext, query: string) {
  const server = await emptyServer();
  const link = await shareClass(server, 12, (names) => {
    const file = resultsFor(names);
    file.questions[0]!.description = `Beskryf ${word} en ${word}${word}`;
    file.submissions[0]!.studentName = `${word} ${word}${word}`;
    file.submissions[0]!.feedback = `${word}${word}${word}`;
    file.submissions[0]!.questionMarks[0]!.feedback = `${word}${word}${word}`;
    return file;
  });
  const page = await openPage(t, { bypassCSP: true, viewport: { width: 320, height: 640 } });
  const overflow = (selector: string) =>
    page.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth);
  await page.goto(server.url + link.replace("#demo", query));
  await scripted(page);
  return { page, overflow };
}

test("long words cut nothing off a learner on a narrow phone", async (t) => {
  const { page, overflow } = await openLongWords(t, "&learner=1");
  await page
    .getByRole("heading", { name: `${word} ${word}${word}`, exact: true })
    .first()
    .waitFor();
  assert.equal(await overflow("html"), 0);
});

test("on a narrow phone long words cut nothing off the cards of a class, in which axe finds nothing", async (t) => {
  const { page, overflow } = await openLongWords(t, "");
  assert.deepEqual([await overflow("html"), await overflow(".table-frame")], [0, 0]);
  assert.deepEqual(await violations(page), []);
});

test("the names of a class stay in view while its marks scroll in their frame", async (t) => {
  const server = await emptyServer();
  const link = await shareClass(server, 12, (names) =>
    hundredQuestions(names, { marksAwarded: 2 }),
  );
  const page = await openPage(t, { viewport: { width: 720, height: 640 } });
  await page.goto(server.url + link);
  const left = async () => (await page.locator(".grid tbody th").nth(1).boundingBox())!.x;
  const before = await left();
  const scrolled = await page.locator(".table-frame").evaluate((frame) => {
    frame.scrollTo(1000, 0);
    return frame.scrollLeft;
  });
  assert.equal(scrolled, 1000);
  const moved = (await left()) - before;
  assert.ok(Math.abs(moved) < 1, `the name has moved by ${moved} px`);
});

test("on a narrow phone long words cut no column off the dialog of a learner, in which axe finds nothing", async (t) => {
  const { page, overflow } = await openLongWords(t, "");
  await page.locator(".grid th a").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".marks").waitFor();
  assert.equal(await overflow("dialog"), 0);
  const cell = await dialog.locator(".marks td").first().boundingBox();
  assert.ok(cell!.x + cell!.width <= 320, "the first column ends in the window");
  assert.deepEqual(await violations(page), []);
});

/** Opens a class of 300. */
async function open300(t: TestContext) {
  const server = await emptyServer();
  const page = await openPage(t, { bypassCSP: true }, /status of 404/);
  await page.goto(server.url + (await shareClass(server, 300)));
  await scripted(page);
  const last = page.getByRole("link", { name: "Learner 300", exact: true });
  return { page, last, dialog: page.getByRole("dialog") };
}

test("two keys lead past the learners of a class of 300", async (t) => {
  const { page } = await open300(t);
  await page.getByRole("link", { name: "Take the marks away" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const isAfter = await page.evaluate(() =>
    Boolean(document.activeElement!.closest("#after-learners")),
  );
  assert.ok(isAfter, "the focus is after the list");
});

test("the dialog of a learner says that the link has closed meanwhile", async (t) => {
  const { page, last, dialog } = await open300(t);
  const closed = { status: 404, contentType: "text/html", body: "<p>Closed" };
  await page.route(`**${await last.getAttribute("href")}`, (route) => route.fulfill(closed));
  await last.click();
  await dialog.getByText("This link is not open any more.").first().waitFor();
});

test("the last of 300 learners has no next one", async (t) => {
  const { last, dialog } = await open300(t);
  await last.click();
  await dialog.getByRole("heading", { name: "Learner 300" }).waitFor();
  const next = dialog.getByRole("button", { name: "Next" });
  assert.equal(await next.getAttribute("aria-disabled"), "true");
});

test("all 300 learners of a class are printed", async (t) => {
  const { page } = await open300(t);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".grid tbody tr:visible").count(), 300);
});
