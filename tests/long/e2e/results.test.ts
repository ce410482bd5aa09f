import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage, scripted, violations } from "../../support/browser.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { publishClass, resultsFor, shareClass } from "../../support/results.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

test("the sample opens once the network is back", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t, {}, /ERR_INTERNET_DISCONNECTED/);
  await page.goto(server.url);
  const file = { name: "questions.txt", mimeType: "text/plain", buffer: Buffer.from("Define it.") };
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(file);
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

test("a slip of two pages has the name on both", async (t) => {
  const server = await sharedServer();
  const feedback = "Say why, with a figure from the table, and then say what follows. ".repeat(40);
  const link = await publishClass(server, 50, (names) => {
    const file = resultsFor(names);
    for (const index of [1, 4]) {
      for (const mark of file.submissions[index]!.questionMarks) mark.feedback = feedback;
    }
    for (const submission of file.submissions) submission.studentName += " of 50";
    return file;
  });
  const page = await openPage(t);
  const print = async (more: string) => {
    await page.goto(server.url + link.replace("#demo", more));
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  for (const more of ["&slips=1", "&slips=2"]) {
    const pages = await print(more);
    for (const text of pages) {
      const names = new Set([...text.matchAll(/Learner \d+ of 50/g)].map(([name]) => name));
      const totals = [...text.matchAll(/^Total/gm)].length;
      assert.ok(names.size >= 1 && names.size <= (more === "&slips=1" ? 1 : 2), text.slice(0, 200));
      assert.ok(totals <= names.size);
    }
    const totals = pages.join("\n").matchAll(/^Total/gm);
    assert.equal([...totals].length, 50, more);
  }
});

test("long words on a narrow phone cut no column off", async (t) => {
  const server = await sharedServer();
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

test("a list of 300 learners is skipped by keyboard", async (t) => {
  const server = await sharedServer();
  const link = await shareClass(server, 300);
  const page = await openPage(t, { bypassCSP: true });
  await page.goto(server.url + link);
  await scripted(page);

  await page.getByRole("link", { name: "Take the marks away" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const after = await page.evaluate(
    () => document.activeElement!.closest("#after-learners") !== null,
  );
  assert.ok(after, "the focus is after the list");
});
