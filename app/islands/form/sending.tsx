import { counted } from "../../domain/counted.ts";
import { formatBytes } from "../../forms/files.ts";
import { aboutTime, connectionMessages } from "../../forms/sending-time.ts";
import type { Progress } from "./form-state.ts";

const steps: Progress["step"][] = ["sending", "storing"];

export function Sending({ progress }: { progress: Progress }) {
  const { fileCount, total, arrived, onTheWay, step, seconds } = progress;
  const isPaused = step !== "sending" && step !== "storing";
  const share = (arrived + onTheWay) / total;
  const timeLeft = step === "sending" && seconds !== undefined && `, ${aboutTime(seconds)} left`;
  return (
    <div className="sending">
      <p role="status">
        {isPaused ? (
          connectionMessages[step]
        ) : (
          <>
            <span className="spinner" aria-hidden="true" />
            Step {steps.indexOf(step) + 1} of {steps.length}: {step} {counted(fileCount, "file")}
          </>
        )}
      </p>
      <progress
        max={100}
        value={step !== "storing" && total > 0 ? Math.floor(share * 100) : undefined}
        aria-label="Bytes on the way or arrived"
      />
      <p className="faded figures">
        {formatBytes(arrived)} of {formatBytes(total)} arrived
        {onTheWay > 0 && `, ${formatBytes(onTheWay)} on the way`}
        {timeLeft}
        {isPaused && seconds !== undefined && `. Next attempt in ${seconds} s.`}
      </p>
    </div>
  );
}
