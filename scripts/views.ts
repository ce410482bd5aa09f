/** Every page of the site and every state of its forms, and how a visitor gets there. */
import type { Page } from "playwright-core";
import { listedPaths } from "../app/site.ts";

export interface View {
  name: string;
  path: string;
  /** From the page as it comes to the state. Without it the page is looked at as it comes. */
  reach?: (page: Page) => Promise<void>;
  /** Only below this width does the state exist. */
  narrowerThan?: number;
  /** Looked at as it is printed. */
  isPrinted?: true;
}

const nameOf = (path: string) => path.slice(1) || "home";

/** Nobody of these exists. */
const texts = {
  name: "Thandi Example",
  fullName: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  message: "Grade 11 Life Sciences, one class of eight. Do you read Sesotho essays?",
  expectedImprovements: "Two markers read row 3 in two ways.",
};

export const views: View[] = [
  ...listedPaths.map((path) => ({ name: nameOf(path), path })),
  { name: "article", path: "/exam-grading-accuracy-comparison" },
  { name: "article-mark-sheet", path: "/advantages-of-ai-in-education-and-learning" },
  { name: "article-marked-script", path: "/advancing-educational-equity-with-ai" },
  { name: "not-found", path: "/nowhere" },
  { name: "blog-found", path: "/blog?q=memo" },
  { name: "blog-nothing-found", path: "/blog?q=xyzzy" },
  { name: "receipt-missing", path: "/contact?received=AAAA-BBBB-CCCC" },
  { name: "menu", path: "/features", reach: openMenu, narrowerThan: 960 },
  { name: "test-forms", path: "/test-forms" },
  { name: "test-forms-run", path: "/test-forms", reach: runTests },

  { name: "results", path: "/?results=sample" },
  { name: "results-printed", path: "/?results=sample", isPrinted: true },
  { name: "results-student", path: "/?results=sample", reach: openStudent },
  { name: "results-in-place", path: "/", reach: openSample },
  { name: "results-none", path: "/?results=unknown" },

  { name: "home-errors", path: "/", reach: withoutScript },
  { name: "home-held", path: "/", reach: withDraftFile },
  { name: "home-dialog", path: "/", reach: openDialog("#demo") },
  { name: "home-dialog-errors", path: "/", reach: submitDialog("#demo", "empty") },
  { name: "home-pending", path: "/", reach: submitDialog("#demo", "pending") },
  { name: "home-failed", path: "/", reach: submitDialog("#demo", "failed") },
  { name: "home-received", path: "/", reach: submitDialog("#demo", "received") },
  { name: "latest-feature-dialog", path: "/latest-feature", reach: openDialog("#upload") },
  {
    name: "latest-feature-dialog-errors",
    path: "/latest-feature",
    reach: submitDialog("#upload", "empty"),
  },
  {
    name: "latest-feature-pending",
    path: "/latest-feature",
    reach: submitDialog("#upload", "pending"),
  },
  {
    name: "latest-feature-received",
    path: "/latest-feature",
    reach: submitDialog("#upload", "received"),
  },
  ...["/contact", "/demo", "/blog"].flatMap((path) => [
    { name: `${nameOf(path)}-errors`, path, reach: submitTexts("empty") },
    { name: `${nameOf(path)}-pending`, path, reach: submitTexts("pending") },
    { name: `${nameOf(path)}-failed`, path, reach: submitTexts("failed") },
    { name: `${nameOf(path)}-received`, path, reach: submitTexts("received") },
  ]),
];

type End = "empty" | "pending" | "failed" | "received";

async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
}

async function runTests(page: Page): Promise<void> {
  await hydrate(page, ".tests");
  const tests = await page.getByRole("button", { name: "Run this test" }).all();
  for (const [place, test] of tests.entries()) {
    await test.click();
    await page.locator(".result").nth(place).waitFor();
  }
}

async function openStudent(page: Page): Promise<void> {
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await page.locator(".scripted [data-student]").nth(2).click();
  await page.locator("dialog .marks").waitFor();
}

async function openSample(page: Page): Promise<void> {
  await hydrate(page, "#demo");
  await page.getByRole("link", { name: "See a sample result" }).click();
  await page.locator(".scripted").waitFor();
}

/** The demo form as plain HTML, sent as it comes. */
async function withoutScript(page: Page): Promise<void> {
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  await sendAsHtml(page);
}

/** The same with one of its files: the page comes back with that one kept. */
async function withDraftFile(page: Page): Promise<void> {
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

function openDialog(place: string) {
  return async (page: Page) => {
    await hydrate(page, place);
    for (const picker of await page.locator(`${place} input[type=file]`).all()) {
      await picker.setInputFiles(textFile((await picker.getAttribute("name"))!));
    }
    await page.locator(`${place} #process`).click();
    await page.locator("dialog:modal").waitFor();
  };
}

function submitDialog(place: string, end: End) {
  return async (page: Page) => {
    await openDialog(place)(page);
    await submit(page, "dialog", end);
    if (end === "pending") await page.locator(".sending").waitFor();
  };
}

function submitTexts(end: End) {
  return async (page: Page) => {
    await hydrate(page, ".text-form");
    await submit(page, ".text-form", end);
  };
}

async function submit(page: Page, place: string, end: End): Promise<void> {
  for (const [name, text] of end === "empty" ? [] : Object.entries(texts)) {
    const field = page.locator(`${place} [name="${name}"]`);
    if ((await field.count()) > 0) await field.fill(text);
  }
  // Held for ever, or answered as a server in trouble does.
  if (end === "pending") await page.route("**/api/**", () => {});
  if (end === "failed") await page.route("**/api/**", (route) => route.fulfill({ status: 500 }));
  await page.locator(`${place} .button[type=submit]`).click();
  const sign = {
    empty: '[aria-invalid="true"]',
    pending: '.button[aria-disabled="true"]',
    failed: ".toast",
    received: ".thank-you",
  };
  await page.locator(sign[end]).first().waitFor();
}

/** Nears the form as a visitor does, and waits for the script that this loads. */
async function hydrate(page: Page, place: string): Promise<void> {
  await page.locator(place).first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("form")].some((form) =>
      Object.keys(form).some((key) => key.startsWith("__react")),
    ),
  );
}
