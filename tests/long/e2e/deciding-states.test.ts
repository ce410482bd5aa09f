/** Deciding and printing in the browser, in more states than tests/e2e/results.test.ts has. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { sampleNames } from "../../support/sample.ts";
import { openSecondLearner } from "../../support/second-learner.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

test("on paper no page has one learner's marks without the name, or with another's", async (t) => {
  const server = await sharedServer();
  const page = await openPage(t);
  const print = async (path: string) => {
    await page.goto(server.url + path);
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
  const names = sampleNames.map((_, index) => `Learner ${String(index + 1).padStart(2, "0")}`);
  const learnersOn = (text: string) => names.filter((name) => text.includes(name));
  const totalsOn = (text: string) => [...text.matchAll(/^Total/gm)].length;

  const one = await print("/?results=sample&slips=1");
  assert.deepEqual(
    one.map(learnersOn),
    names.map((name) => [name]),
  );
  assert.deepEqual(
    one.map(totalsOn),
    names.map(() => 1),
  );
  const two = await print("/?results=sample&slips=2");
  assert.equal(two.length, 15);
  assert.deepEqual(two.flatMap(learnersOn), names);
  assert.ok(two.every((text) => totalsOn(text) === 2));
  for (const text of [...one, ...two]) assert.ok(text.includes("Grade 10 Life Sciences"));
  for (const path of ["", "&learner=4", "&slips=1"]) {
    const pages = await print(`/?results=sample${path}`);
    if (path === "") assert.equal(pages.length, 1, "the class on one page");
    assert.ok(!pages.join("").includes("results=sample"), "the link is not printed");
  }
  assert.match((await print("/?results=sample&learner=4"))[0]!, /Learner 04/);
});

test("without script a learner is decided on a phone", async (t) => {
  const { page, decisions } = await openSecondLearner(t, {
    javaScriptEnabled: false,
    viewport: { width: 360, height: 640 },
  });
  await page.getByRole("link", { name: /^Decide it on the desk ?, question 1\.2$/ }).click();
  await page.getByLabel("Marks, of 30").fill("40");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.getByRole("link", { name: "Question 1.2: 40 is more than the 30" }).click();
  assert.match(page.url(), /#marks$/);
  await page.getByLabel("Marks, of 30").fill("4");
  await page.getByRole("button", { name: "Save and next" }).click();
  await page.getByRole("heading", { name: "Learner 3 (3), question 1.1" }).waitFor();
  await page.getByRole("button", { name: "Agree with the rest of this learner" }).click();
  await page.getByText("3 of 6 decided").waitFor();
  const width = await page.locator("html").evaluate((html) => html.scrollWidth);
  assert.equal(width, 360);
  assert.equal((await decisions()).length, 3);
});
