import { tooLargeAdvice } from "../../forms/files.ts";
import type { FileHelp } from "./upload-form.tsx";
import type { PickerRejection } from "./use-picker.ts";

/** What helps after a rejection: how to make a file smaller, and a button to take the valid files. */
export function RejectionHelp({
  rejection: { tooLarge, others },
  help: { scanGuide, maxFileBytes },
  onTake,
}: {
  rejection: PickerRejection;
  help: FileHelp;
  onTake: (files: File[]) => void;
}) {
  return (
    <>
      {tooLarge.length > 0 && (
        <p className="hint">
          {tooLargeAdvice(tooLarge, maxFileBytes)}{" "}
          {scanGuide && <a href={scanGuide}>How to do it with a phone</a>}
        </p>
      )}
      {others.length > 0 && (
        <button type="button" className="button quiet small" onClick={() => onTake(others)}>
          {others.length === 1 ? `Take ${others[0]!.name}` : `Take the other ${others.length}`}
        </button>
      )}
    </>
  );
}
