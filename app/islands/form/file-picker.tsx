import { useEffect, useRef, useState } from "react";
import type { UploadDraft } from "../../domain/upload.ts";
import {
  acceptedExtensions,
  extensionOf,
  type FileField,
  fileMessages,
  formatBytes,
  tooLargeAmong,
} from "../../forms/files.ts";
import { DraftFiles } from "./draft-files.tsx";
import { describedBy, FieldErrors } from "./field.tsx";
import { Tick } from "./tick.tsx";

/**
 * A native file input; script adds a drop zone and a list of the chosen files. The input always holds the
 * files itself, so the form sends the same with and without script.
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
  /** Files of the upload draft, already on the server. */
  draft: UploadDraft["files"];
  /** The URL that the form is posted to. */
  action: string;
  errors: string[] | undefined;
  onChange: (files: File[]) => void;
}) {
  const { label, max, missing } = field;
  const { input, files, rejection, addFiles, keepFiles, removeFile } = useFiles(
    max,
    draft.length,
    onChange,
  );
  const hint = `${field.hint} PDF, DOC, DOCX or TXT, 2 MB each at most.`;
  const shownErrors = rejection ? [rejection] : errors;
  return (
    <DropZone onDrop={addFiles}>
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
          // A cancelled dialog empties the input: restore the previous files.
          if (chosen.length > 0) addFiles(chosen);
          else keepFiles();
        }}
      />
      <DraftFiles label={label} files={draft} action={action} />
      <ChosenFiles label={label} files={files} onRemove={removeFile} />
    </DropZone>
  );
}

function DropZone({
  onDrop,
  children,
}: {
  onDrop: (files: File[]) => void;
  children: React.ReactNode;
}) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input offers the same by keyboard
    <div
      className={isDraggedOver ? "file-picker dropping" : "file-picker"}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        onDrop([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}

/** The files that a native input holds, which may be taken away one by one. */
function useFiles(max: number, draftCount: number, onChange: (files: File[]) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<File[]>([]);
  const [rejection, setRejection] = useState<string>();

  const updateFiles = (next: File[]) => {
    const transfer = new DataTransfer();
    for (const file of next) transfer.items.add(file);
    input.current!.files = transfer.files;
    setFiles(next);
    onChange(next);
  };

  /** Adds all of the chosen or dropped files, or none if one of them is rejected. */
  const addFiles = (chosen: File[], current = files) => {
    // Something other than files was dropped.
    if (chosen.length === 0) return;
    const next = max === 1 ? chosen : withoutDuplicates([...current, ...chosen]);
    const count = max === 1 ? next.length : next.length + draftCount;
    const reason = rejectionReason(chosen, count, max);
    setRejection(reason);
    updateFiles(reason ? current : next);
  };

  // Files chosen before hydration.
  useEffect(() => {
    const preselected = [...(input.current?.files ?? [])];
    if (preselected.length > 0) addFiles(preselected, []);
  }, []);

  return {
    input,
    files,
    rejection,
    addFiles,
    keepFiles: () => updateFiles(files),
    removeFile(file: File) {
      setRejection(undefined);
      updateFiles(files.filter((other) => other !== file));
      input.current?.focus();
    },
  };
}

function ChosenFiles({
  label,
  files,
  onRemove,
}: {
  label: string;
  files: File[];
  onRemove: (file: File) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul className="chosen" aria-label={`${label}: chosen`}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          <Tick />
          <span className="file-name">{file.name}</span>
          <span className="faded">{formatBytes(file.size)}</span>
          <button
            type="button"
            className="link"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
}

function rejectionReason(chosen: File[], count: number, max: number): string | undefined {
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

/** Drops files chosen twice, compared by name, size and date. */
function withoutDuplicates(files: File[]): File[] {
  const identity = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;
  return [...new Map(files.map((file) => [identity(file), file])).values()];
}
