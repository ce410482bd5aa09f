/** The rules of the look on every public page. */
import { after, test } from "node:test";
import { listedPaths } from "../../../app/site.ts";
import { closeBrowser } from "../../support/browser.ts";
import { assertFewSizes, assertOneRed } from "../../support/look.ts";

after(closeBrowser);

const paths = [
  ...listedPaths(),
  "/exam-grading-accuracy-comparison",
  "/fairness-in-assessments",
  "/blog?q=memo",
  "/nowhere",
  "/contact?received=AAAA-BBBB-CCCC",
  "/subscription?token=unknown",
];

test("on no public page is red but the button, the logo, errors and what a person decided", (t) =>
  assertOneRed(t, paths, ["/contact", "/demo", "/blog", "/", "/latest-feature"]));

test("the text of every public page has at most seven sizes from 14 pixels up", (t) =>
  assertFewSizes(t, [...paths, "/?results=sample", "/?results=sample&learner=4"]));
