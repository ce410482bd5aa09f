import { useEffect, useRef, useState } from "react";
import type { Answer } from "./api-response.ts";
import type { Progress } from "./sending.tsx";

/** Loaded when first needed, and early enough when somebody opens the dialog. */
export const loadSendForm = () => import("./send-form.ts");

/** Sends one form at a time, tells how far it is, and can be cancelled at any moment. */
export function useSending(path: string) {
  const [progress, setProgress] = useState<Progress>();
  // Not state: a double click is faster than a render.
  const underWay = useRef<AbortController>(undefined);

  // The call goes on only as long as somebody can see how it ends.
  useEffect(() => () => underWay.current?.abort(), []);

  /**
   * @param isReady asked first, with the double click already shut out; false ends it there
   * @returns undefined where nothing was sent
   */
  async function send(
    form: HTMLFormElement,
    files: File[],
    isReady: () => Promise<boolean>,
  ): Promise<Answer | undefined> {
    if (underWay.current) return undefined;
    const abort = new AbortController();
    underWay.current = abort;
    try {
      const ready = await isReady();
      const { sendForm } = await loadSendForm();
      if (!ready || abort.signal.aborted) return undefined;
      const total = files.reduce((sum, file) => sum + file.size, 0);
      const begun: Progress = { fileCount: files.length, total, sent: 0, step: "sending" };
      setProgress(begun);
      return await sendForm(
        path,
        new FormData(form),
        {
          onBytes: (sent, body) => setProgress({ ...begun, sent: (sent / body) * total }),
          onStep: (step) => setProgress({ ...begun, sent: total, step }),
        },
        abort.signal,
      );
    } catch {
      // A part of the script did not load: the line is down, as if the call had failed.
      return abort.signal.aborted ? undefined : { kind: "failed" };
    } finally {
      underWay.current = undefined;
      setProgress(undefined);
    }
  }

  return { progress, send, cancel: () => underWay.current?.abort() };
}
