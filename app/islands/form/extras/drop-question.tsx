import { useEffect, useRef } from "react";
import type { FileField } from "../../../forms/files.ts";

/** Asks which field gets the files that were dropped beside the pickers. */
export function DropQuestion({
  files,
  fileFields,
  onAnswer,
}: {
  files: File[];
  fileFields: Record<string, FileField>;
  /** Called without a field if the visitor takes the drop back. */
  onAnswer: (field?: string) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  const what = files.length === 1 ? files[0]!.name : `${files.length} files`;
  return (
    <dialog
      ref={dialog}
      className="drop-question"
      aria-labelledby="drop-question-title"
      onClose={() => onAnswer()}
    >
      <h3 id="drop-question-title" className="file-name">
        What is this: {what}?
      </h3>
      <div className="actions">
        {Object.entries(fileFields).map(([field, { label }]) => (
          <button
            key={field}
            type="button"
            className="button quiet"
            onClick={() => onAnswer(field)}
          >
            {label}
          </button>
        ))}
        <button type="button" className="link" onClick={() => onAnswer()}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
