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
