/** The rules of the look on every public page. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { once } from "../../../app/server/system/once.ts";
import { listedPaths } from "../../../app/site.ts";
import { closeBrowser } from "../../support/browser.ts";
import { lookAt } from "../../support/look.ts";

after(closeBrowser);

const paths = [
  ...listedPaths(),
  "/exam-grading-accuracy-comparison",
  "/fairness-in-assessments",
  "/blog?q=memo",
  "/nowhere",
  "/contact?received=AAAA-BBBB-CCCC",
  "/subscription?token=unknown",
  "/?results=sample",
  "/?results=sample&learner=4",
];

const look = once(() => lookAt(paths, ["/contact", "/demo", "/blog", "/", "/latest-feature"]));

test("on no public page is red but the button, the logo, errors and what a person decided", async () =>
  assert.deepEqual((await look()).red, []));

test("the text of every public page has at most seven sizes from 14 pixels up", async () =>
  assert.deepEqual((await look()).wrongSizes, []));
