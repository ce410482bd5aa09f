/** What a person has typed into a form that decides a mark. */
import { decisionFields } from "../../domain/decision.ts";

type Field = HTMLInputElement | HTMLTextAreaElement;

const selector = decisionFields.map((name) => `[name="${name}"]`).join();

/** The fields in which a person decides. */
export const fieldsOf = (form: Element) => [...form.querySelectorAll<Field>(selector)];

/** Whether a field differs from what the server rendered. */
export function isTyped(field: Field): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  return field.type === "checkbox"
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}

/** What a form posts. */
export function valuesOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(form, submitter)) fields[name] = String(value);
  return fields;
}

/** Types values into a form. */
export function fill(form: HTMLFormElement, values: Record<string, string>): void {
  for (const field of fieldsOf(form)) {
    if (field.type === "checkbox") {
      (field as HTMLInputElement).checked = values[field.name] !== undefined;
    } else {
      field.value = values[field.name] ?? "";
    }
  }
}
