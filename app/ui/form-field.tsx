import { cloneElement } from "react";
import { describedBy, FieldErrors } from "../islands/form/field.tsx";

/** A control of a form with its label, hint and error, which a screen reader reads with it. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  /** The control, which gets the id. */
  children: React.ReactElement<React.HTMLAttributes<HTMLElement>>;
}) {
  const errors = error ? [error] : [];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} errors={errors} />
      {cloneElement(children, { id, ...describedBy({ id, hint, errors }) })}
    </div>
  );
}
