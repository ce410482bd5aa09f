import type { UploadDraft } from "../../domain/upload.ts";
import { acceptedExtensions, formatBytes } from "../../forms/files.ts";

/** The files of an upload draft. Each can be removed or replaced, also without script. */
export function DraftFiles({
  label,
  files,
  action,
}: {
  label: string;
  files: UploadDraft["files"];
  /** The URL that the form is posted to; its page shows the files again. */
  action: string;
}) {
  if (files.length === 0) return null;
  return (
    <ul className="chosen" aria-label={`${label}: received`}>
      {files.map(({ id, name, size }) => (
        <li key={id} className="cluster">
          <span className="file-name">{name}</span>
          <span className="faded">{formatBytes(size)}, received</span>
          <button
            type="submit"
            className="link"
            name="remove"
            value={id}
            formAction={action}
            aria-label={`Remove ${name}`}
          >
            Remove
          </button>
          <details>
            <summary aria-label={`Replace ${name}`}>Replace</summary>
            <input
              type="file"
              name={`replace-${id}`}
              accept={acceptedExtensions.join(",")}
              aria-label={`The file that takes the place of ${name}`}
            />
          </details>
        </li>
      ))}
    </ul>
  );
}
