/** Every page of the site and every state of its forms, with the steps that reach it. */
import type { Page } from "playwright-core";
import { listedPaths } from "../app/site.ts";

export interface View {
  name: string;
  /** A name in braces is explained in published-classes.ts. */
  path: string;
  /** Puts the loaded page into the state; undefined for the page as loaded. */
  reach?: (page: Page) => Promise<void>;
  /** The state exists only below this width, in CSS pixels. */
  narrowerThan?: number;
  /** Whether the view is rendered with print styles. */
  isPrinted?: true;
}

const nameOf = (path: string) => path.slice(1) || "home";

/** Made-up details of a visitor, by the names of form fields. */
const texts = {
  name: "Thandi Example",
  fullName: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  message: "Grade 11 Life Sciences, one class of eight. Do you read Sesotho essays?",
  expectedImprovements: "Two markers read row 3 in two ways.",
};

/** An answer on an educator's desk. */
const decidingAnswer = "/marking?link={deciding}&view=mark&question=2.2&learner=4";

export const views: View[] = [
  ...listedPaths().map((path) => ({ name: nameOf(path), path })),
  { name: "article", path: "/exam-grading-accuracy-comparison" },
  { name: "article-mark-sheet", path: "/advantages-of-ai-in-education-and-learning" },
  { name: "article-marked-script", path: "/machine-learning-the-future-of-education" },
  { name: "article-memo", path: "/advancing-educational-equity-with-ai" },
  { name: "article-figures", path: "/exam-grading-accuracy-comparison", reach: openFolds(".plot") },
  {
    name: "article-contents",
    path: "/fairness-in-assessments",
    reach: openFolds(".contents"),
    narrowerThan: 960,
  },
  { name: "features-unfolded", path: "/features", reach: openFolds(".fold"), narrowerThan: 960 },
  { name: "receipt", path: "/contact", reach: openReceipt },
  { name: "not-found", path: "/nowhere" },
  { name: "blog-found", path: "/blog?q=memo" },
  { name: "blog-nothing-found", path: "/blog?q=xyzzy" },
  { name: "receipt-missing", path: "/contact?received=AAAA-BBBB-CCCC" },
  { name: "subscription-unknown", path: "/subscription?token=unknown" },
  { name: "unsubscribed", path: "/subscription?token=unknown", reach: unsubscribe },
  { name: "menu", path: "/features", reach: openMenu, narrowerThan: 960 },
  { name: "test-forms", path: "/test-forms" },
  { name: "test-forms-run", path: "/test-forms", reach: runTests },

  { name: "results", path: "/?results=sample" },
  { name: "results-printed", path: "/?results=sample", isPrinted: true },
  { name: "results-learner", path: "/?results=sample", reach: openLearner },
  { name: "results-in-place", path: "/", reach: openSample },
  { name: "results-by-mark", path: "/?results=sample&sort=mark" },
  { name: "results-one", path: "/?results=sample&learner=4" },
  { name: "results-slips", path: "/?results=sample&slips=2" },
  { name: "results-slips-printed", path: "/?results=sample&slips=2", isPrinted: true },
  { name: "results-none", path: "/?results=unknown" },
  { name: "marking-none", path: "/marking?link=unknown" },

  ...(["deciding", "decided", "signed", "copy"] as const).flatMap((state): View[] => [
    { name: `${state}-class`, path: `/?results={${state}}` },
    { name: `${state}-class-printed`, path: `/?results={${state}}`, isPrinted: true },
    { name: `${state}-learner`, path: `/?results={${state}}&learner=4` },
    { name: `${state}-learner-printed`, path: `/?results={${state}}&learner=4`, isPrinted: true },
    { name: `${state}-slips`, path: `/?results={${state}}&slips=1` },
    { name: `${state}-slips-printed`, path: `/?results={${state}}&slips=2`, isPrinted: true },
  ]),
  { name: "scripts-learner", path: "/?results={scripts}&learner=9" },
  { name: "scripts-learner-printed", path: "/?results={scripts}&learner=9", isPrinted: true },
  { name: "scripts-slips-printed", path: "/?results={scripts}&slips=1&scripts", isPrinted: true },

  { name: "desk-new", path: "/marking?link={new}" },
  { name: "desk-new-questions", path: "/marking?link={new}&view=questions" },
  { name: "desk", path: "/marking?link={desk}" },
  { name: "desk-questions", path: "/marking?link={desk}&view=questions" },
  { name: "desk-learners", path: "/marking?link={desk}&view=learners" },
  { name: "desk-learner", path: "/marking?link={scanned}&view=learners" },
  { name: "desk-typed", path: "/marking?link={desk}&view=mark" },
  {
    name: "desk-typed-error",
    path: "/marking?link={desk}&view=mark",
    reach: submitRejectedMarks("99"),
  },
  { name: "desk-scan", path: "/marking?link={scanned}&view=mark&question=1.2" },
  {
    name: "desk-scan-printed",
    path: "/marking?link={scanned}&view=mark&question=1.2",
    isPrinted: true,
  },
  { name: "desk-problems", path: "/marking?link={named}&view=problems" },
  { name: "desk-finish", path: "/marking?link={desk}&view=finish" },
  { name: "desk-missing", path: "/marking?link={desk}&view=nowhere" },

  { name: "deciding-dialog", path: "/?results={deciding}", reach: openLearner },
  { name: "desk-unsaved", path: decidingAnswer, reach: saveOffline },
  {
    name: "desk-conflict",
    path: "/marking?link={deciding}&view=mark&question=2.2&learner=2",
    reach: saveOverNewer,
  },
  { name: "deciding-rejected", path: "/?results={deciding}&learner=4", reach: postMarks("99") },
  { name: "decided-nameless", path: "/?results={decided}", reach: signWithoutName },
  { name: "signed-late", path: "/?results={signed}&learner=4", reach: postMarks("7") },
  { name: "results-none-posted", path: "/?results=unknown&learner=4", reach: postMarks("7") },

  { name: "home-marked", path: "/", reach: markAnswer },
  { name: "home-errors", path: "/", reach: submitEmptyAsHtml },
  { name: "home-draft", path: "/", reach: submitOneFileAsHtml },
  ...[
    { path: "/", section: "#demo" },
    { path: "/latest-feature", section: "#upload" },
  ].flatMap(({ path, section }) => [
    { name: `${nameOf(path)}-dialog`, path, reach: openDialog(section) },
    { name: `${nameOf(path)}-dialog-errors`, path, reach: submitDialog(section, "empty") },
    { name: `${nameOf(path)}-pending`, path, reach: submitDialog(section, "pending") },
    { name: `${nameOf(path)}-failed`, path, reach: submitDialog(section, "failed") },
    { name: `${nameOf(path)}-received`, path, reach: submitDialog(section, "received") },
  ]),
  ...["/contact", "/demo", "/blog"].flatMap((path) => [
    { name: `${nameOf(path)}-errors`, path, reach: submitTexts("empty") },
    { name: `${nameOf(path)}-pending`, path, reach: submitTexts("pending") },
    { name: `${nameOf(path)}-failed`, path, reach: submitTexts("failed") },
    { name: `${nameOf(path)}-received`, path, reach: submitTexts("received") },
  ]),
];

/** Opens every fold in an element. */
function openFolds(container: string) {
  return (page: Page) =>
    page.evaluate((container) => {
      for (const fold of document.querySelectorAll(`details${container}, ${container} details`))
        (fold as HTMLDetailsElement).open = true;
    }, container);
}

async function openReceipt(page: Page): Promise<void> {
  await submitTexts("received")(page);
  await page.waitForURL("**received=*");
  await page.reload();
}

type Outcome = "empty" | "pending" | "failed" | "received";

async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
}

/** Posts the form as its button does. The page of an unknown subscription does not show the button. */
async function unsubscribe(page: Page): Promise<void> {
  await page.locator(".slip form").evaluate((form: HTMLFormElement) => {
    form.append(Object.assign(document.createElement("input"), { name: "intent", value: "end" }));
    form.submit();
  });
  await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
}

async function markAnswer(page: Page): Promise<void> {
  await page.locator(".mark-it").getByRole("radio", { name: "3" }).check();
  await page.locator(".mark-it summary").click();
}

async function runTests(page: Page): Promise<void> {
  await hydrate(page, ".tests");
  const tests = await page.getByRole("button", { name: "Run this test" }).all();
  for (const [index, test] of tests.entries()) {
    await test.click();
    await page.locator(".result").nth(index).waitFor();
  }
}

async function openLearner(page: Page): Promise<void> {
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await page.locator(".scripted th a").nth(2).click();
  await page.locator("dialog .marks").waitFor();
}

/** Submits marks that the desk rejects, and waits for the error. */
function submitRejectedMarks(marks: string) {
  return async (page: Page) => {
    await page.locator("#marks").fill(marks);
    await page.locator("#marks").press("Enter");
    await page.locator("#marks[aria-invalid]").waitFor();
  };
}

async function saveOffline(page: Page): Promise<void> {
  await page.locator(".results.scripted").waitFor();
  await page.route("**/marking?*", (route) => route.abort());
  await page.locator("#marks").fill("7");
  await page.locator("#marks").press("Enter");
  await page.locator(".not-saved").waitFor();
}

let marksInOtherTab = 0;

/** Saves a mark over another tab's newer mark. The newer mark differs each time, because an equal one is no change. */
async function saveOverNewer(page: Page): Promise<void> {
  // With script the desk goes on to the next answer at once.
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  const other = await page.context().newPage();
  await other.goto(page.url());
  marksInOtherTab = (marksInOtherTab + 1) % 4;
  await other.locator("#marks").fill(String(6 + marksInOtherTab / 2));
  await other.locator("#marks").press("Enter");
  await other
    .getByText(/^Saved \d/)
    .first()
    .waitFor();
  await other.close();
  await submitRejectedMarks("5")(page);
}

/** Posts marks for question 2.2, as an outdated page without script does. */
function postMarks(marks: string) {
  return async (page: Page) => {
    const answered = page.waitForEvent("load");
    await page.evaluate((marks) => {
      const fields = {
        intent: "save",
        question: "2.2",
        seen: "0",
        was: "3",
        marks,
        comment: "Typed.",
      };
      const { search } = window.location;
      const form = Object.assign(document.createElement("form"), {
        method: "post",
        action: `/?index&${search.slice(1)}`,
      });
      for (const [name, value] of Object.entries(fields)) {
        form.append(
          Object.assign(document.createElement("input"), { name, value, type: "hidden" }),
        );
      }
      document.body.append(form);
      form.submit();
    }, marks);
    await answered;
  };
}

async function signWithoutName(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign the marks" }).click();
  await page.locator(".problem-summary").waitFor();
}

async function openSample(page: Page): Promise<void> {
  await hydrate(page, "#demo");
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.locator("#sample .results").waitFor();
}

/** Submits the demo form empty and without JavaScript. */
async function submitEmptyAsHtml(page: Page): Promise<void> {
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  await sendAsHtml(page);
}

/** Submits the demo form with only one file, which the returned page shows as a draft. */
async function submitOneFileAsHtml(page: Page): Promise<void> {
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  await page.locator("#rubricFile").setInputFiles(textFile("rubricFile"));
  await sendAsHtml(page);
}

const sendAsHtml = (page: Page) =>
  Promise.all([
    page.waitForEvent("load"),
    page.locator("#process").evaluate((button: HTMLButtonElement) => button.form!.submit()),
  ]).then(() => {});

const textFile = (name: string) => ({
  name: `${name}.txt`,
  mimeType: "text/plain",
  buffer: Buffer.from(`The ${name}: two marks for the definition.\n`),
});

function openDialog(section: string) {
  return async (page: Page) => {
    await hydrate(page, section);
    for (const picker of await page.locator(`${section} input[type=file]`).all()) {
      await picker.setInputFiles(textFile((await picker.getAttribute("name"))!));
    }
    await page.locator(`${section} #process`).click();
    await page.locator("dialog:modal").waitFor();
  };
}

function submitDialog(section: string, outcome: Outcome) {
  return async (page: Page) => {
    await openDialog(section)(page);
    await submit(page, "dialog", outcome);
    if (outcome === "pending") await page.locator(".sending").waitFor();
  };
}

function submitTexts(outcome: Outcome) {
  return async (page: Page) => {
    await hydrate(page, ".text-form");
    await submit(page, ".text-form", outcome);
  };
}

async function fillFields(page: Page, container: string): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    const field = page.locator(`${container} [name="${name}"]`);
    if ((await field.count()) > 0) await field.fill(text);
  }
  const mayShare = page.locator(`${container} #mayShare`);
  if ((await mayShare.count()) > 0) await mayShare.check();
}

/** Leaves a request without a response, or responds as a failing server does; otherwise the server itself responds. */
async function fakeResponse(page: Page, outcome: Outcome): Promise<void> {
  if (outcome === "pending") await page.route("**/api/**", () => {});
  if (outcome === "failed") {
    await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
  }
}

/** Submits a form and waits until it shows the outcome. */
async function submit(page: Page, container: string, outcome: Outcome): Promise<void> {
  if (outcome !== "empty") await fillFields(page, container);
  await fakeResponse(page, outcome);
  await page.locator(`${container} .button[type=submit]`).click();
  const expected = {
    empty: '[aria-invalid="true"]',
    pending: '.button[aria-disabled="true"]',
    failed: ".toast",
    received: ".thank-you",
  };
  await page.locator(expected[outcome]).first().waitFor();
}

/** Scrolls to the form, which loads its script, and waits until it is hydrated. */
async function hydrate(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  await page.waitForFunction(
    (forms) =>
      [...document.querySelectorAll(forms)].some((form) =>
        Object.keys(form).some((key) => key.startsWith("__react")),
      ),
    `form:is(${selector}, ${selector} *)`,
  );
}
