import { useEffect } from "react";
import type { UploadDraft } from "../../domain/upload.ts";
import { acceptedExtensions, type FileField, scanAdvice } from "../../forms/files.ts";
import { ChosenFiles } from "./chosen-files.tsx";
import { DraftFiles } from "./draft-files.tsx";
import { DropZone } from "./drop-zone.tsx";
import { describedBy, FieldErrors } from "./field.tsx";
import { RejectionHelp } from "./picker-rejection.tsx";
import type { FileHelp } from "./upload-form.tsx";
import { usePicker } from "./use-picker.ts";

interface FilePickerProps {
  name: string;
  field: FileField;
  /** Files of the upload draft, already on the server. */
  draft: UploadDraft["files"];
  action: string;
  errors: string[] | undefined;
  help: FileHelp;
  hasArrived: (file: File) => boolean;
  onChange: (files: File[]) => void;
  /** Called with a function that adds files which were dropped elsewhere. */
  onReady: (addFiles: (files: File[]) => void) => void;
}

/**
 * A native file input; script adds a drop zone and a list of the chosen files. The input always holds the
 * files itself, so the form sends the same with and without script.
 */
export function FilePicker(props: FilePickerProps) {
  const { name, field, draft, action, errors, help, hasArrived, onChange, onReady } = props;
  const { maxFileBytes } = help;
  const { label, max, missing } = field;
  const picker = usePicker({ max, maxFileBytes, draftCount: draft.length }, onChange);
  const { rejection, addFiles } = picker;
  const hint = `${field.hint} PDF, DOC, DOCX or TXT, ${maxFileBytes / 1_048_576} MB each at most.`;
  const shownErrors = rejection ? [rejection.message] : errors;
  useEffect(() => onReady(addFiles));
  return (
    <DropZone onDrop={addFiles}>
      <label htmlFor={name}>
        {label}
        {missing ? (
          <span aria-hidden="true">&nbsp;*</span>
        ) : (
          <span className="faded"> (optional)</span>
        )}
      </label>
      <p className="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <div role="alert">
        <FieldErrors id={`${name}-error`} errors={shownErrors} />
      </div>
      {rejection && <RejectionHelp rejection={rejection} help={help} onTake={addFiles} />}
      <input
        ref={picker.input}
        id={name}
        name={name}
        type="file"
        required={Boolean(missing)}
        multiple={max > 1}
        accept={acceptedExtensions.join(",")}
        {...describedBy({ id: name, hint, errors: shownErrors })}
        onClick={picker.forgetRejection}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          // A cancelled dialog empties the input: restore the previous files.
          if (chosen.length > 0) addFiles(chosen);
          else picker.keepFiles();
        }}
      />
      {field.isHandwritten && <PaperHint {...help} />}
      <DraftFiles label={label} files={draft} action={action} />
      <ChosenFiles
        label={label}
        files={picker.files}
        errors={errors}
        hasArrived={hasArrived}
        onRemove={picker.removeFile}
      />
    </DropZone>
  );
}

function PaperHint({ scanGuide, maxFileBytes }: FileHelp) {
  return (
    <p className="hint">
      On paper? Make one PDF of each script. {scanAdvice(maxFileBytes)}
      {scanGuide ? (
        <>
          : <a href={scanGuide}>how to do it with a phone</a>.
        </>
      ) : (
        "."
      )}
    </p>
  );
}
