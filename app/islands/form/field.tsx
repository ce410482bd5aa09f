import { useLayoutEffect, useRef, useState } from "react";
import type { TextField, TextFields } from "../../forms/text-fields.ts";

export function TextInputs({
  fields,
  idPrefix = "",
  typed = {},
  errors,
}: {
  fields: TextFields;
  /** Keeps ids unique if two forms on a page have the same fields. */
  idPrefix?: string;
  typed?: Record<string, string> | undefined;
  errors: Record<string, string[]>;
}) {
  return Object.entries(fields).map(([name, field]) => (
    <TextInput
      key={name}
      id={idPrefix + name}
      name={name}
      field={field}
      defaultValue={typed[name]}
      errors={errors[name]}
    />
  ));
}

interface TextInputProps {
  id: string;
  name: string;
  field: TextField;
  defaultValue: string | undefined;
  errors: string[] | undefined;
}

function TextInput({ field, ...input }: TextInputProps) {
  const { id, errors } = input;
  const { label, hint, required, type } = field;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}{" "}
        {required ? <span aria-hidden="true">*</span> : <span className="faded">(optional)</span>}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} errors={errors} />
      {type === "paragraphs" ? (
        <TextArea field={field} {...input} />
      ) : (
        <input
          id={id}
          name={input.name}
          type={type}
          required={Boolean(required)}
          autoComplete={field.autoComplete}
          defaultValue={input.defaultValue}
          {...describedBy({ id, hint, errors })}
        />
      )}
    </div>
  );
}

function TextArea({ id, name, field: { hint, required }, defaultValue, errors }: TextInputProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const [typedEarly] = useState(() => textTypedBeforeHydration(id));
  useLayoutEffect(() => {
    // A new form that replaces a sent form has read the text of the sent form: do not restore it.
    if (!typedEarly || typedEarly.field !== ref.current) return;
    const { field, text, from, to } = typedEarly;
    field.value = text;
    // Safari moves the focus to a field whose selection is set.
    if (document.activeElement === field) field.setSelectionRange(from, to);
  }, [typedEarly]);
  return (
    <textarea
      ref={ref}
      id={id}
      name={name}
      required={Boolean(required)}
      rows={5}
      defaultValue={defaultValue}
      {...describedBy({ id, hint, errors })}
    />
  );
}

/** The text typed before hydration: React resets a textarea to its default while it hydrates. */
function textTypedBeforeHydration(id: string) {
  if (import.meta.env.SSR) return undefined;
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return undefined;
  return { field, text: field.value, from: field.selectionStart, to: field.selectionEnd };
}

export function FieldErrors({ id, errors = [] }: { id: string; errors?: string[] | undefined }) {
  if (errors.length === 0) return null;
  return (
    <div className="field-error flush" id={id}>
      {errors.map((error, index) => (
        <p key={`${index} ${error}`}>{error}</p>
      ))}
    </div>
  );
}

export function describedBy({
  id,
  hint,
  errors,
}: {
  id: string;
  hint: string | undefined;
  errors: string[] | undefined;
}) {
  const invalid = Boolean(errors?.length);
  const ids = [hint && `${id}-hint`, invalid && `${id}-error`].filter(Boolean).join(" ");
  return {
    "aria-describedby": ids || undefined,
    "aria-invalid": invalid || undefined,
  };
}
