import { megabytes } from "../forms/files.ts";

export interface Progress {
  fileCount: number;
  /** Bytes of all files. */
  total: number;
  sent: number;
}

/** What is happening while a form with files is on its way: the step in words, and the bytes sent. */
export function Sending({ progress: { fileCount, total, sent } }: { progress: Progress }) {
  const arrived = sent >= total;
  const files = fileCount === 1 ? "1 file" : `${fileCount} files`;
  return (
    <div className="sending">
      <p role="status">
        <span className="spinner" aria-hidden="true" />
        {arrived ? `Step 2 of 2: checking and storing ${files}` : `Step 1 of 2: sending ${files}`}
      </p>
      <progress
        max={100}
        value={arrived ? undefined : Math.floor((sent / total) * 100)}
        aria-label="Bytes sent"
      />
      <p className="faded figures">
        {megabytes(sent)} of {megabytes(total)} sent
      </p>
    </div>
  );
}
