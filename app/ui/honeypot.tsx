import { honeypotField } from "../forms/machine-fields.ts";

/** A field that nobody sees or reaches; what fills it in is not a person. */
export function Honeypot() {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        Leave this empty <input type="text" name={honeypotField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
