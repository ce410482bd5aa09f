import { honeypotField } from "../forms/machine-fields.ts";

/** A field hidden from people: a post that fills it in comes from a bot. */
export function Honeypot() {
  return (
    <div className="visually-hidden" aria-hidden="true">
      <label>
        Leave this empty <input type="text" name={honeypotField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
