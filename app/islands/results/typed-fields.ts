/** What a person has typed into a form that decides a mark. */
type Field = HTMLInputElement | HTMLTextAreaElement;

/** The fields in which a person decides. */
export const fieldsOf = (form: Element) => [
  ...form.querySelectorAll<Field>('[name="marks"], [name="notAnswered"], [name="comment"]'),
];

/** Whether a field differs from what the server rendered. */
export function isTyped(field: Field): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  return field.type === "checkbox"
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue;
}
