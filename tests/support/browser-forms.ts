/** What the tests of forms in a browser share. */
import type { Page } from "playwright-core";
import { contactTyped, rubricTyped } from "./forms.ts";

/** Waits until the script of some element that a selector finds runs. */
export const waitForHydration = (page: Page, selector = "form") =>
  page.waitForFunction((selector) => {
    const found = [...document.querySelectorAll(selector)];
    return found.some((one) => Object.keys(one).some((key) => key.startsWith("__react")));
  }, selector);

export async function fill(page: Pick<Page, "getByLabel">, labels: Record<string, string>) {
  for (const [label, text] of Object.entries(labels)) await page.getByLabel(label).fill(text);
}

export const contactLabels = {
  "Full name *": contactTyped.name,
  "Email address *": contactTyped.email,
  "Contact number *": contactTyped.phone,
  "Institution (optional)": contactTyped.institution,
  "Message *": contactTyped.message,
};

export const rubricLabels = {
  "Full Name *": rubricTyped.fullName,
  "Email Address *": rubricTyped.email,
  "Contact Number *": rubricTyped.phone,
  "Expected Improvements *": rubricTyped.expectedImprovements,
};

export const txtFile = (name: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(`${name}: two marks for the definition`),
});

export async function chooseRubricFiles(page: Page) {
  await page.getByLabel("Assessment Questions *").setInputFiles(txtFile("questions.txt"));
  await page.getByLabel("Grading Rubric *").setInputFiles(txtFile("rubric.txt"));
}

export const focusedText = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent ?? "");
