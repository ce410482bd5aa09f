/** The five forms as a visitor with JavaScript uses them. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "./browser.ts";
import { chooseRubricFiles, waitForHydration } from "./browser-forms.ts";
import { chooseAll, pdfFile, processButton } from "./demo-form.ts";
import { contactTyped, demoTyped, rubricTyped } from "./forms.ts";
import { contact } from "./upload.ts";

export interface FormPage {
  name: string;
  path: string;
  /** The selector of the form, or of its dialog. */
  form: string;
  /** The words on the button that sends the form. */
  submit: string;
  /** Chooses the files, opens the dialog and ticks what has to be ticked. */
  prepare?(page: Page): Promise<void>;
  /** Texts by field id. */
  texts: Record<string, string>;
  /** The heading of the receipt. */
  thanks: string;
  /** The specification's words for a failure, as they stand on the page. */
  failure: string;
}

const prefixed = (prefix: string, texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [prefix + id, text]));

export const formPages: FormPage[] = [
  {
    name: "contact",
    path: "/contact",
    form: ".text-form",
    submit: "Send the message",
    texts: prefixed("contact-", contactTyped),
    thanks: "Thank you. Your message is with us.",
    failure: "Error - Failed to send message. Please try again.",
  },
  {
    name: "demo request",
    path: "/demo",
    form: ".text-form",
    submit: "Request a demo",
    texts: demoTyped,
    thanks: "Thank you. Your request is with us.",
    failure: "Submission Failed - Please try again later.",
  },
  {
    name: "subscription",
    path: "/blog#stay-updated",
    form: ".text-form",
    submit: "Subscribe",
    texts: { email: contact.email },
    thanks: "Thank you. Your address has arrived.",
    failure: "Error - Failed to subscribe. Please try again.",
  },
  {
    name: "demo upload",
    path: "/#demo",
    form: ".upload-form",
    submit: "Send the files",
    prepare: async (page) => {
      await chooseAll(page, [pdfFile("learner.pdf")]);
      await processButton(page).click();
      await page.locator("#mayShare").check();
    },
    texts: contact,
    thanks: "Thank you. Your files are with us.",
    failure:
      "Submission failed - There was an error submitting your information. Please try again.",
  },
  {
    name: "rubric request",
    path: "/latest-feature#upload",
    form: ".upload-form",
    submit: "Request Smart Rubric Service",
    prepare: async (page) => {
      await chooseRubricFiles(page);
      await page.getByRole("button", { name: "Generate Smart Rubric" }).click();
    },
    texts: rubricTyped,
    thanks: "Thank you. Your rubric is with us.",
    failure: "Submission Failed - Please try again later.",
  },
];

/** Opens a form's page and fills in the form, ready to be sent. */
export async function fillIn(page: Page, url: string, { path, form, prepare, texts }: FormPage) {
  await page.goto(url + path);
  await page.locator(form).scrollIntoViewIfNeeded();
  await waitForHydration(page, form);
  await prepare?.(page);
  for (const [id, text] of Object.entries(texts))
    await page.locator(form).locator(`#${id}`).fill(text);
}

/** What the form holds: its texts, and the names of its files. */
export const contentsOf = (page: Page, { form }: FormPage) =>
  page
    .locator(form)
    .evaluate((element) =>
      [...new FormData(element as HTMLFormElement)].map(([name, value]) =>
        typeof value === "string" ? `${name}=${value}` : `${name}: ${value.name}`,
      ),
    );

/** Sends a form whose posts by script get no answer: after the second, it offers to be sent without script. */
export async function sendWithoutScript(t: TestContext, { url }: { url: string }, form: FormPage) {
  const page = await openPage(t, {}, /ERR_FAILED/);
  await page.route("**/api/**", (route) => route.abort());
  const send = page.getByRole("button", { name: form.submit });
  const failure = page.locator('[role="alert"] .field-error');
  const plain = page.getByRole("button", { name: "Send without JavaScript" });
  await fillIn(page, url, form);
  await send.click();
  await failure.waitFor();
  assert.equal(await plain.count(), 0, "not offered after one failure, which may be chance");
  await send.click();
  await plain.click();
  await page.getByRole("heading", { name: form.thanks }).waitFor();
}
