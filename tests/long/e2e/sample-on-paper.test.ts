/** The sample on paper. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeBrowser, openPage } from "../../support/browser.ts";
import { textOfPages } from "../../support/pdf-text.ts";
import { sampleNames } from "../../support/sample.ts";
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
