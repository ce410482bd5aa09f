/** Reads and changes what a person has typed into a form that decides a mark. */
import { decisionFields } from "../../domain/decision.ts";

type Field = HTMLInputElement | HTMLTextAreaElement;

const selector = [
  ...[...decisionFields, "ask", "stampText"].map((name) => `[name="${name}"]`),
  // The boxes of the points.
  '[name^="tick-"]',
].join();

export const marksIn = (parent: ParentNode) => parent.querySelector<HTMLInputElement>("#marks");

/** The fields of a decision, of a question to the lead, and of the comment of a stamp. */
export const fieldsOf = (parent: Element) => [...parent.querySelectorAll<Field>(selector)];

/** Whether a field differs from what the server rendered. */
export const isTyped = (field: Field): boolean =>
  isBox(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;

const isBox = (field: Field): field is HTMLInputElement => field.type === "checkbox";

/** The values that a form posts when it is submitted by a button, by field. */
export function valuesOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(form, submitter)) fields[name] = String(value);
  return fields;
}

/**
 * Fills in a decision. Fields without a value become empty; an empty marks field gets the sum of the ticks.
 * @param sent an earlier post: fields that have the same value in `values` and `sent` stay as they are
 */
export function fill(
  form: HTMLFormElement,
  values: Record<string, string>,
  sent?: Record<string, string>,
): void {
  for (const field of fieldsOf(form)) {
    if (sent && values[field.name] === sent[field.name]) continue;
    const value = values[field.name];
    if (isBox(field)) field.checked = value !== undefined;
    else field.value = value ?? "";
  }
  if (marksIn(form)!.value === "") addUp(form);
}

/** The sum of the ticks in a form, up to the question's marks; empty without a tick. */
export function sumIn(form: HTMLFormElement): string {
  const ticked = [...form.querySelectorAll<HTMLElement>("[data-worth]:checked")];
  const sum = ticked.reduce((all, { dataset }) => all + Number(dataset.worth), 0);
  const total = Number(marksIn(form)!.dataset.total);
  return ticked.length > 0 ? String(Math.min(total, sum)) : "";
}

export function addUp(form: HTMLFormElement): void {
  marksIn(form)!.value = sumIn(form);
}
