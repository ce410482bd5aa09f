import type { UploadStep } from "../domain/upload.ts";
import { megabytes } from "../forms/files.ts";

export interface Progress {
  fileCount: number;
  /** Bytes of all files. */
  total: number;
  sent: number;
  step: "sending" | UploadStep;
}

const steps: Progress["step"][] = ["sending", "checking", "storing"];

/** What is happening while a form with files is on its way: the step in words, and the bytes sent. */
export function Sending({ progress: { fileCount, total, sent, step } }: { progress: Progress }) {
  const files = fileCount === 1 ? "1 file" : `${fileCount} files`;
  return (
    <div className="sending">
      <p role="status">
        <span className="spinner" aria-hidden="true" />
        Step {steps.indexOf(step) + 1} of {steps.length}: {step} {files}
      </p>
      <progress
        max={100}
        value={step === "sending" ? Math.floor((sent / total) * 100) : undefined}
        aria-label="Bytes sent"
      />
      <p className="faded figures">
        {megabytes(sent)} of {megabytes(total)} sent
      </p>
    </div>
  );
}
