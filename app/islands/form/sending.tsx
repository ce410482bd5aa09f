import { formatBytes } from "../../forms/files.ts";
import { aboutTime } from "../../forms/sending-time.ts";
import type { Progress } from "./form-state.ts";

const steps: Progress["step"][] = ["sending", "checking", "storing"];

const pausedTexts = {
  lost: "The connection is lost. What has arrived is kept; the rest follows by itself when the connection is back.",
  busy: "Many people are uploading at this moment. What has arrived is kept; the rest follows by itself.",
};

/** Upload progress: the current step in words, and the bytes sent. */
export function Sending({ progress }: { progress: Progress }) {
  const { fileCount, total, sent, step, seconds } = progress;
  const files = fileCount === 1 ? "1 file" : `${fileCount} files`;
  const isPaused = step === "lost" || step === "busy";
  const isUnderWay = step === "sending" || isPaused;
  const timeLeft = step === "sending" && seconds !== undefined && `, ${aboutTime(seconds)} left`;
  return (
    <div className="sending">
      <p role="status">
        {isPaused ? (
          pausedTexts[step]
        ) : (
          <>
            <span className="spinner" aria-hidden="true" />
            Step {steps.indexOf(step) + 1} of {steps.length}: {step} {files}
          </>
        )}
      </p>
      <progress
        max={100}
        value={isUnderWay && total > 0 ? Math.floor((sent / total) * 100) : undefined}
        aria-label="Bytes sent"
      />
      <p className="faded figures">
        {formatBytes(sent)} of {formatBytes(total)} {isPaused ? "arrived" : "sent"}
        {timeLeft}
        {isPaused && `. Next attempt in ${seconds} s.`}
      </p>
    </div>
  );
}
