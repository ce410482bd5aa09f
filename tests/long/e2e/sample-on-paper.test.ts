import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { sampleNames } from "../../support/sample.ts";
import { sharedServer } from "../../support/server.ts";

after(closeBrowser);

/** Returns a function that prints a page of the sample, and returns the texts of its sheets. */
async function openPrinter(t: TestContext) {
  const server = await sharedServer();
  const page = await openPage(t);
  return async (query = "") => {
    await page.goto(`${server.url}/?results=sample${query}`);
    return textOfPages(await page.pdf({ format: "A4", displayHeaderFooter: true }));
  };
}

test("each sheet of slips has as many learners as were asked for, with their names and marks", async (t) => {
  const print = await openPrinter(t);
  const names = sampleNames.map((_, index) => `Learner ${String(index + 1).padStart(2, "0")}`);
  const learnersOn = (text: string) => names.filter((name) => text.includes(name));
  const totalsOn = (text: string) => [...text.matchAll(/^Total/gm)].length;

  const one = await print("&slips=1");
  assert.deepEqual(
    one.map(learnersOn),
    names.map((name) => [name]),
  );
  assert.deepEqual(
    one.map(totalsOn),
    names.map(() => 1),
  );
  const two = await print("&slips=2");
  assert.equal(two.length, 15);
  assert.deepEqual(two.flatMap(learnersOn), names);
  assert.ok(two.every((text) => totalsOn(text) === 2));
  for (const text of [...one, ...two]) assert.ok(text.includes("Grade 10 Life Sciences"));
});

test("no page of the sample prints its link", async (t) => {
  const print = await openPrinter(t);
  for (const query of ["", "&learner=4", "&slips=1"])
    assert.doesNotMatch((await print(query)).join(""), /results=sample/, query);
});
