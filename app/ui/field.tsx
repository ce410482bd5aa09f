import { useLayoutEffect, useRef, useState } from "react";

/** Label above, hint under it, the error between hint and input; the ids tie them together for screen readers. */
interface FieldProps {
  name: string;
  label: string;
  optional?: boolean;
  hint?: string;
  errors?: string[] | undefined;
}

export function TextField({
  type = "text",
  ...props
}: FieldProps & {
  type?: "text" | "email" | "tel";
  autoComplete: string;
  defaultValue?: string | undefined;
}) {
  const { label, optional, hint, errors, ...input } = props;
  return (
    <Field {...props}>
      <input id={props.name} type={type} required={!optional} {...describedBy(props)} {...input} />
    </Field>
  );
}

export function TextArea(props: FieldProps & { defaultValue?: string | undefined }) {
  const { label, optional, hint, errors, ...textarea } = props;
  const ref = useRef<HTMLTextAreaElement>(null);
  const [early] = useState(() => textTypedBeforeHydration(props.name));
  useLayoutEffect(() => {
    if (!early) return;
    ref.current!.value = early.text;
    ref.current!.setSelectionRange(early.from, early.to);
  }, [early]);
  return (
    <Field {...props}>
      <textarea
        ref={ref}
        id={props.name}
        required={!optional}
        rows={5}
        {...describedBy(props)}
        {...textarea}
      />
    </Field>
  );
}

/** React puts a textarea's default text back while it hydrates, so what stands there is taken down first. */
function textTypedBeforeHydration(id: string) {
  if (import.meta.env.SSR) return undefined;
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return undefined;
  return { text: field.value, from: field.selectionStart, to: field.selectionEnd };
}

function Field({
  name,
  label,
  optional,
  hint,
  errors,
  children,
}: FieldProps & { children: React.ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}{" "}
        {optional ? <span className="faded">(optional)</span> : <span aria-hidden="true">*</span>}
      </label>
      {hint && (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${name}-error`} errors={errors} />
      {children}
    </div>
  );
}

export function FieldErrors({ id, errors = [] }: { id: string; errors?: string[] | undefined }) {
  if (errors.length === 0) return null;
  return (
    <div className="field-error" id={id}>
      {errors.map((error, place) => (
        <p key={`${place} ${error}`}>{error}</p>
      ))}
    </div>
  );
}

/** Attributes for an input so that its hint and errors are read with it. */
export function describedBy({ name, hint, errors }: Pick<FieldProps, "name" | "hint" | "errors">) {
  const invalid = Boolean(errors?.length);
  const ids = [hint && `${name}-hint`, invalid && `${name}-error`].filter(Boolean).join(" ");
  return {
    "aria-describedby": ids || undefined,
    "aria-invalid": invalid || undefined,
  };
}
