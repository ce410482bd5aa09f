import { amountOf, formatBytes } from "../../forms/files.ts";
import { Tick } from "./tick.tsx";
import { identityOf } from "./upload-session.ts";

/** Max files in a list that is not folded, so that the next field stays near. */
const maxUnfolded = 5;

interface ListProps {
  label: string;
  isWrong: (file: File) => boolean;
  hasArrived: (file: File) => boolean;
  onRemove: (file: File) => void;
}

/** The chosen files of a picker. Files that an error names are never folded away. */
export function ChosenFiles({
  files,
  errors = [],
  ...list
}: Omit<ListProps, "isWrong"> & { files: File[]; errors: string[] | undefined }) {
  const isWrong = ({ name }: File) => errors.some((error) => error.startsWith(`${name}: `));
  if (files.length <= maxUnfolded) return <FileList files={files} isWrong={isWrong} {...list} />;
  const folded = files.filter((file) => !isWrong(file));
  return (
    <>
      <FileList files={files.filter(isWrong)} isWrong={isWrong} {...list} />
      <details>
        <summary>{amountOf(files)}</summary>
        <FileList files={folded} isWrong={isWrong} {...list} />
      </details>
    </>
  );
}

function FileList({ label, files, isWrong, hasArrived, onRemove }: ListProps & { files: File[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="chosen" aria-label={`${label}: chosen`}>
      {files.map((file) => (
        <li key={identityOf(file)} className="cluster">
          {!isWrong(file) && <Tick />}
          <span className="file-name" title={file.name}>
            <bdi>{file.name}</bdi>
          </span>
          <span className="faded">
            {formatBytes(file.size)}
            {hasArrived(file) && ", received"}
          </span>
          <button
            type="button"
            className="link"
            aria-label={`Remove ${file.name}`}
            onClick={() => onRemove(file)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
