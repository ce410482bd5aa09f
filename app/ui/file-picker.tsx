import { useEffect, useRef, useState } from "react";
import type { UploadDraft as Held } from "../domain/upload.ts";
import {
  acceptedExtensions,
  extensionOf,
  type FileField,
  fileMessages,
  megabytes,
  tooLargeAmong,
} from "../forms/files.ts";
import { UploadDraft } from "./draft-files.tsx";
import { describedBy, FieldErrors } from "./field.tsx";
import { Tick } from "./tick.tsx";

/**
 * A native file input, and with script a place to drop files on and a list of what is chosen. The
 * input itself holds the files at every moment, so the form sends the same with script and without.
 */
export function FilePicker({
  name,
  field,
  draft,
  action,
  errors,
  onChange,
}: {
  name: string;
  field: FileField;
  /** Files that the server has already. */
  draft: Held["files"];
  /** Where the form goes. */
  action: string;
  errors: string[] | undefined;
  onChange: (files: File[]) => void;
}) {
  const { label, max, missing } = field;
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [rejection, setRejection] = useState<string>();
  const [dropping, setDropping] = useState(false);
  const hint = `${field.hint} PDF, DOC, DOCX or TXT, 2 MB each at most.`;
  const shownErrors = rejection ? [rejection] : errors;

  const keep = (next: File[]) => {
    const transfer = new DataTransfer();
    for (const file of next) transfer.items.add(file);
    input.current!.files = transfer.files;
    setFiles(next);
    onChange(next);
  };

  /** Takes all that was chosen or dropped at once, or none of it. */
  const take = (chosen: File[], already: File[]) => {
    // Something else than files was dropped.
    if (chosen.length === 0) return;
    const next = max === 1 ? chosen : withoutCompressed([...already, ...chosen]);
    const count = max === 1 ? next.length : next.length + draft.length;
    const reason = reasonAgainst(chosen, count, max);
    setRejection(reason);
    keep(reason ? already : next);
  };

  // Files that were chosen before the script arrived.
  useEffect(() => {
    const early = [...(input.current?.files ?? [])];
    if (early.length > 0) take(early, []);
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input is the first
    <div
      className={dropping ? "file-picker dropping" : "file-picker"}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        take([...event.dataTransfer.files], files);
      }}
    >
      <label htmlFor={name}>
        {label}{" "}
        {missing ? <span aria-hidden="true">*</span> : <span className="faded">(optional)</span>}
      </label>
      <p className="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <div role="alert">
        <FieldErrors id={`${name}-error`} errors={shownErrors} />
      </div>
      <input
        ref={input}
        id={name}
        name={name}
        type="file"
        required={Boolean(missing)}
        multiple={max > 1}
        accept={acceptedExtensions.join(",")}
        {...describedBy({ id: name, hint, errors: shownErrors })}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])];
          // A cancelled dialog empties the input; what was chosen before is put back.
          if (chosen.length > 0) take(chosen, files);
          else keep(files);
        }}
      />
      <UploadDraft label={label} files={draft} action={action} />
      {files.length > 0 && (
        <ul className="chosen" aria-label={`${label}: chosen`}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`}>
              <Tick />
              <span className="file-name">{file.name}</span>
              <span className="faded">{megabytes(file.size)}</span>
              <button
                type="button"
                className="link"
                aria-label={`Remove ${file.name}`}
                onClick={() => {
                  setRejection(undefined);
                  keep(files.filter((other) => other !== file));
                  input.current?.focus();
                }}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function reasonAgainst(chosen: File[], count: number, max: number): string | undefined {
  const tooLarge = tooLargeAmong(chosen);
  if (tooLarge) return tooLarge;
  const wrong = chosen.filter((file) => !extensionOf(file.name));
  if (wrong.length > 0) return `${fileMessages.wrongType} (${wrong.map((f) => f.name).join(", ")})`;
  const empty = chosen.filter((file) => file.size === 0);
  if (empty.length > 0) return `${fileMessages.empty}: ${empty.map((f) => f.name).join(", ")}`;
  if (max === 1 && chosen.length > 1) return "Please choose one file only";
  if (count > max) return `Please choose at most ${max} files`;
  return undefined;
}

/** The same file chosen twice is one file. */
function withoutCompressed(files: File[]): File[] {
  const identity = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;
  return [...new Map(files.map((file) => [identity(file), file])).values()];
}
