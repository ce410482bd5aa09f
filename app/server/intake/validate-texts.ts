import { parseWithZod } from "@conform-to/zod/v4";
import { coerceFormValue } from "@conform-to/zod/v4/future";
import * as z from "zod/mini";
import type { TextField, TextFields, Texts } from "../../forms/text-fields.ts";
import { cleanText, textProblem } from "../../forms/text-rules.ts";

export interface ValidatedTexts {
  /** The texts by field, as `cleanText` returns them; undefined if there are errors. */
  texts: Texts<TextFields> | undefined;
  /** The first type if none was sent; "" for a form without types. */
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
  const [defaultType] = requestTypes;
  // A form without request types ignores the field requestType, like every field that is not its own.
  const requestType = defaultType === undefined ? "" : typed.requestType || defaultType;
  if (requestType && !requestTypes.includes(requestType)) {
    errors.requestType = [`requestType must be one of ${requestTypes.join(", ")}`];
  }
  const isValid = result.status === "success" && Object.keys(errors).length === 0;
  return { texts: isValid ? result.value : undefined, requestType, errors };
}

const schemas = new WeakMap<TextFields, ReturnType<typeof newSchema>>();

/** Returns a form's zod schema, which also cleans the texts. The cast names the fields, which `fromEntries` loses. */
function newSchema(fields: TextFields) {
  const shape = Object.entries(fields).map(([name, field]) => [name, ruleFor(field)]);
  const schema = z.object(Object.fromEntries(shape)) as unknown;
  return coerceFormValue(schema as z.ZodMiniType<Texts<TextFields>>);
}

function ruleFor(field: TextField) {
  const rule = z.string(field.required).check(
    z.overwrite((text) => cleanText(field, text)),
    z.check(({ value, issues }) => {
      const message = textProblem(field, value);
      if (message) issues.push({ code: "custom", message, input: value });
    }),
  );
  // A blank optional text becomes undefined.
  return field.required
    ? rule
    : z.pipe(
        z.optional(rule),
        z.transform((text) => text || undefined),
      );
}

/** Returns the schema of a form, which is made once, because making a schema takes longer than using it. */
function schemaOf(fields: TextFields) {
  const schema = schemas.get(fields) ?? newSchema(fields);
  schemas.set(fields, schema);
  return schema;
}
