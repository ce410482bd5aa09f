/** Fills in the demo form of the home page in a browser. */
import type { Page } from "playwright-core";
import { contact, pdf } from "./upload.ts";

export const pdfFile = (name: string, size?: number) => ({
  name,
  mimeType: "application/pdf",
  buffer: pdf(size),
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

export type ChosenFile = ReturnType<typeof pdfFile>;

/** Chooses a file for each field. @param submissions files, or their paths */
export async function chooseAll(
  page: Page,
  submissions: ChosenFile[] | string[] = [pdfFile("learner-01.pdf"), pdfFile("learner-02.pdf")],
) {
  await page.locator("#questionsFile").setInputFiles(pdfFile("questions.pdf"));
  await page.locator("#rubricFile").setInputFiles(pdfFile("rubric.pdf"));
  await page.locator("#submissionFiles").setInputFiles(submissions);
}

export async function fillContact(page: Page) {
  for (const name of ["name", "email", "phone"] as const) {
    await page.locator(`#${name}`).fill(contact[name]);
  }
  await page.locator("#mayShare").check();
}
