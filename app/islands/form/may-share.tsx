import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import { describedBy, FieldErrors } from "./field.tsx";

/** The confirmation of the right to share the work. When you change the wording, add the date to noticeVersions. */
export function MayShare({
  isTicked,
  errors,
}: {
  isTicked: boolean;
  errors: string[] | undefined;
}) {
  return (
    <div>
      <FieldErrors id={`${confirmationField}-error`} errors={errors} />
      <label className="check">
        <input
          id={confirmationField}
          type="checkbox"
          name={confirmationField}
          value={noticeVersions.at(-1)}
          defaultChecked={isTicked}
          required
          {...describedBy({ id: confirmationField, hint: undefined, errors })}
        />
        <span>
          I may share this work: my school or institution allows it.
          <span aria-hidden="true">&nbsp;*</span>
        </span>
      </label>
    </div>
  );
}
