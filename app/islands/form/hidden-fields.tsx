import { honeypotField } from "../../forms/machine-fields.ts";

export function HiddenFields({ extra = {} }: { extra: Record<string, string> | undefined }) {
  return (
    <>
      {Object.entries(extra).map(([name, value]) => (
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
