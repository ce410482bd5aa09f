import type { UploadDraft as Held } from "../domain/upload.ts";
import { acceptedExtensions, megabytes } from "../forms/files.ts";

/** Files that the server still has from the form that came back. Each can be removed or replaced without a script. */
export function UploadDraft({
  label,
  files,
  action,
}: {
  label: string;
  files: Held["files"];
  /** Where the form goes; its page shows the files again. */
  action: string;
}) {
  if (files.length === 0) return null;
  return (
    <ul className="chosen" aria-label={`${label}: received`}>
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <span className="file-name">{name}</span>
          <span className="faded">{megabytes(size)}, received</span>
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
