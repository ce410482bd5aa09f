/** Fills in the demo form of the home page in a browser. */
import type { Page } from "playwright-core";
import { contact, pdf } from "./upload.ts";

export const pdfFile = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: pdf(),
});
export const processButton = (page: Page) => page.getByRole("button", { name: "Process with AI" });

/** Waits until the script of the demo form runs, which disables the button of a form without files. */
export const waitForHydration = (page: Page) =>
  page.locator('[type="submit"][aria-disabled="true"]').waitFor();

export async function openDemo(page: Page, { url }: { url: string }) {
  await page.goto(url);
  await page.locator("#demo").scrollIntoViewIfNeeded();
  await waitForHydration(page);
}

export async function chooseAll(page: Page) {
  await page.locator("#demo").getByLabel("Questions *").setInputFiles(pdfFile("questions.pdf"));
  await page.locator("#demo").getByLabel("Rubric *").setInputFiles(pdfFile("rubric.pdf"));
  await page
    .locator("#demo")
    .getByLabel("Learners’ submissions *")
    .setInputFiles([pdfFile("learner-01.pdf"), pdfFile("learner-02.pdf")]);
}

export async function fillContact(page: Page) {
  await page.locator("#demo").getByLabel("Full name *").fill(contact.name);
  await page.locator("#demo").getByLabel("Email address *").fill(contact.email);
  await page.locator("#demo").getByLabel("Contact number *").fill(contact.phone);
  await page.locator("#demo").getByLabel("I may share this work").check();
}
