import { useEffect, useRef, useState } from "react";
import type { FormResponse } from "./api-response.ts";
import type { Progress } from "./sending.tsx";

/** Loads the sender; called early, when the dialog opens. */
export const loadSendForm = () => import("./send-form.ts");

/** Sends one form at a time, with progress. It can be cancelled at any time. */
export function useSending(path: string) {
  const [progress, setProgress] = useState<Progress>();
  // A ref, not state: a double click is faster than a render.
  const inFlight = useRef<AbortController>(undefined);

  // Abort the request when the form is unmounted.
  useEffect(() => () => inFlight.current?.abort(), []);

  /**
   * @param isReady runs first, already guarded against a double click; false sends nothing
   * @returns undefined if nothing was sent
   */
  async function send(
    form: HTMLFormElement,
    files: File[],
    isReady: () => Promise<boolean>,
  ): Promise<FormResponse | undefined> {
    if (inFlight.current) return undefined;
    const abort = new AbortController();
    inFlight.current = abort;
    try {
      const ready = await isReady();
      const { sendForm } = await loadSendForm();
      if (!ready || abort.signal.aborted) return undefined;
      const total = files.reduce((sum, file) => sum + file.size, 0);
      const initial: Progress = { fileCount: files.length, total, sent: 0, step: "sending" };
      setProgress(initial);
      return await sendForm(
        path,
        new FormData(form),
        {
          onBytes: (sent, body) => setProgress({ ...initial, sent: (sent / body) * total }),
          onStep: (step) => setProgress({ ...initial, sent: total, step }),
        },
        abort.signal,
      );
    } catch {
      // A part of the script did not load: treat it as a failed request.
      return abort.signal.aborted ? undefined : { kind: "failed" };
    } finally {
      inFlight.current = undefined;
      setProgress(undefined);
    }
  }

  return { progress, send, cancel: () => inFlight.current?.abort() };
}
