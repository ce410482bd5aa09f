import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, scripted, violations } from "../../support/browser.ts";
import { txtFile } from "../../support/browser-forms.ts";
import { succeeded } from "../../support/output-of.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { publishClass, resultsFor, runResults, shareClass } from "../../support/results.ts";
import { startServer } from "../../support/server.ts";

after(closeBrowser);

test("the sample opens once the network is back", async (t) => {
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

test("a class of 50 is printed on two pages, and a slip of two pages has the name on both", async (t) => {
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
  const print = async (more: string) => {
    await page.goto(server.url + link.replace("#demo", more));
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  const report = await print("");
  assert.equal(report.length, 2);
  assert.match(report[1]!, /Learner 50 of 50/);
  for (const slips of [1, 2]) {
    const pages = await print(`&slips=${slips}`);
    assert.ok(pages.length > 50 / slips, "some slips have two pages");
    for (const text of pages) {
      const names = new Set([...text.matchAll(/Learner \d+ of 50/g)].map(([name]) => name));
      const totals = [...text.matchAll(/^Total/gm)].length;
      assert.ok(names.size >= 1 && names.size <= slips, text.slice(0, 200));
      assert.ok(totals <= names.size);
    }
    const totals = pages.join("\n").matchAll(/^Total/gm);
    assert.equal([...totals].length, 50, `${slips}`);
  }
});

test("long words on a narrow phone cut no column off", async (t) => {
  const server = await startServer(t);
  const word = "voortplantingsmeganismes";
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
  await page.goto(server.url + link.replace("#demo", "&learner=1"));
  assert.equal(await overflow("html"), 0);
  await page.goto(server.url + link);
  await scripted(page);
  assert.equal(await overflow("html"), 0);
  assert.deepEqual(await violations(page), []);
  // The grid scrolls in its frame, where the names stay in view.
  await page.locator(".table-frame").evaluate((frame) => frame.scrollTo(1000, 0));
  assert.ok(await page.locator(".grid tbody th").nth(1).isVisible());
  await page.locator(".grid th a").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.locator(".marks").waitFor();
  assert.equal(await overflow("dialog"), 0);
  const cell = await dialog.locator(".marks td").first().boundingBox();
  assert.ok(cell!.x + cell!.width <= 320);
  assert.deepEqual(await violations(page), []);
});

test("a class of 300 is skipped by keyboard, read to its end and printed", async (t) => {
  const server = await startServer(t);
  const link = await shareClass(server, 300);
  const page = await openPage(t, { bypassCSP: true }, /status of 404/);
  await page.goto(server.url + link);
  await scripted(page);

  await t.test("two keys lead past the learners", async () => {
    await page.getByRole("link", { name: "Take the marks away" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const after = await page.evaluate(
      () => document.activeElement!.closest("#after-learners") !== null,
    );
    assert.ok(after, "the focus is after the list");
  });

  const dialog = page.getByRole("dialog");
  await t.test("the dialog says that the link has closed meanwhile", async () => {
    const closed = { status: 404, contentType: "text/html", body: "<p>Closed" };
    await page.route("**/?results=*&learner=300", (route) => route.fulfill(closed), { times: 1 });
    await page.getByRole("link", { name: "Learner 300", exact: true }).click();
    await dialog.getByText("This link is not open any more.").first().waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.reload();
    await scripted(page);
  });

  await t.test("the last learner has no next one", async () => {
    await page.getByRole("link", { name: "Learner 300", exact: true }).click();
    await dialog.getByRole("heading", { name: "Learner 300" }).waitFor();
    assert.equal(
      await dialog.getByRole("button", { name: "Next" }).getAttribute("aria-disabled"),
      "true",
    );
    await page.keyboard.press("Escape");
  });

  await t.test("all learners are printed", async () => {
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".grid tbody tr:visible").count(), 300);
  });
});
