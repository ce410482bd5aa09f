import type { FormName } from "../../domain/request.ts";
import { honeypotField } from "../../forms/machine-fields.ts";

/** What a form sends besides what the visitor fills in, and its honeypot. */
export function HiddenFields({
  form,
  extra,
}: {
  form: FormName;
  extra: Record<string, string> | undefined;
}) {
  return (
    <>
      {Object.entries({ intent: form, ...extra }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {/* A post that fills in this field comes from a bot. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          Leave this empty{" "}
          <input type="text" name={honeypotField} tabIndex={-1} autoComplete="off" />
        </label>
      </div>
    </>
  );
}
