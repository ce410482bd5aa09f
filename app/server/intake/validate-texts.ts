import { parseWithZod } from "@conform-to/zod/v4";
import { coerceFormValue } from "@conform-to/zod/v4/future";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { rulesFor } from "../../forms/text-rules.ts";

export interface ValidatedTexts {
  /** Trimmed; undefined if there are errors. */
  texts: Texts<TextFields> | undefined;
  requestType: string;
  /** Error messages by field. */
  errors: Record<string, string[]>;
}

/** Validates typed texts by the same rules as the browser. */
export function validateTexts(
  { fields, requestTypes = [] }: { fields: TextFields; requestTypes?: readonly string[] },
  typed: Record<string, string>,
): ValidatedTexts {
  const data = new FormData();
  // Pass only the form's own fields: names such as __intent__ have a meaning in conform.
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(typed, name)) data.append(name, typed[name]!);
  }
  const result = parseWithZod(data, { schema: schemaOf(fields), disableAutoCoercion: true });
  const errors = result.status === "error" ? (result.error as Record<string, string[]>) : {};
  const [defaultType = ""] = requestTypes;
  // A form without types ignores the field, as it does any other that it does not have.
  const requestType = (defaultType && typed.requestType) || defaultType;
  if (!requestTypes.includes(requestType) && defaultType) {
    errors.requestType = [`requestType must be one of ${requestTypes.join(", ")}`];
  }
  const isValid = result.status === "success" && Object.keys(errors).length === 0;
  return { texts: isValid ? result.value : undefined, requestType, errors };
}

const schemas = new WeakMap<TextFields, ReturnType<typeof newSchema>>();

const newSchema = (fields: TextFields) => coerceFormValue(rulesFor(fields));

/** Made once for each form, because making a schema takes longer than using it. */
function schemaOf(fields: TextFields) {
  const schema = schemas.get(fields) ?? newSchema(fields);
  schemas.set(fields, schema);
  return schema;
}
