import type { ShownFile } from "../../domain/desk.ts";
import { type StampKind, stampKinds } from "../../domain/stamp.ts";
import { byFields, pagesOf, partValue } from "../../results/stamp-form.ts";
import type { WrongField } from "../../results/typed-decision.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import { StampMark, stampNames } from "../script/stamp-layer.tsx";

interface ToolsProps {
  work: ShownFile[];
  /** The kind of stamp that is chosen. */
  stamp: StampKind;
  /** What was typed into the fields. */
  typed: Record<string, string>;
  /** What is wrong with a field, by its name; undefined unless a stamp was rejected. */
  errorOf: ((field: WrongField) => string | undefined) | undefined;
}

/** The ids of the fields for the comment of a stamp, and for its place. */
export const stampTextField = "stamp-text";
export const stampDownField = "stamp-down";

/** Chooses the stamp that a click on a page places, and places one without a click. */
export function StampTools({ work, stamp, typed, errorOf }: ToolsProps) {
  const pages = pagesOf(work);
  const canPlace = pages.length > 0 || work.some(({ rendered }) => rendered?.kind === "paragraphs");
  if (!canPlace) return null;
  return (
    <details className="stamp-tools" open={stamp !== "tick" || !!typed.stampText || !!errorOf}>
      <summary>Stamps on the page</summary>
      <fieldset>
        <legend>Stamp that a click places; it decides nothing</legend>
        <div className="cluster">
          {stampKinds.map((kind) => (
            <label key={kind} className="check">
              <input type="radio" name="stamp" value={kind} defaultChecked={kind === stamp} />
              <StampMark kind={kind} /> {stampNames[kind]}
            </label>
          ))}
        </div>
        <Field id={stampTextField} label="Comment on the page" error={errorOf?.("stampText")}>
          <input name="stampText" autoComplete="off" defaultValue={typed.stampText} />
        </Field>
        {pages.length > 0 && (
          <PlaceByFields pages={pages} typed={typed} error={errorOf?.("down")} />
        )}
      </fieldset>
    </details>
  );
}

/** Places the stamp without a click on the page. */
function PlaceByFields({
  pages,
  typed,
  error,
}: {
  pages: { fileId: number; page: number }[];
  typed: Record<string, string>;
  error: string | undefined;
}) {
  return (
    <details open={!!typed.down}>
      <summary>Place it without a mouse</summary>
      <Field id="stamp-page" label="Page">
        <select name="page" defaultValue={typed.page}>
          {pages.map(({ fileId, page }, index) => (
            <option key={`${fileId} ${page}`} value={partValue(fileId, page)}>
              {index + 1}
            </option>
          ))}
        </select>
      </Field>
      <Field
        id={stampDownField}
        label="How far down, 0 to 100 (empty: the whole page)"
        error={error}
      >
        <input name="down" inputMode="numeric" autoComplete="off" defaultValue={typed.down} />
      </Field>
      <Submit name="place" value={byFields}>
        Place the stamp
      </Submit>
    </details>
  );
}
