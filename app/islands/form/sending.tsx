import { formatBytes } from "../../forms/files.ts";
import type { Progress } from "./form-state.ts";

const steps: Progress["step"][] = ["sending", "checking", "storing"];

/** Upload progress: the current step in words, and the bytes sent. */
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
        {formatBytes(sent)} of {formatBytes(total)} sent
      </p>
    </div>
  );
}
