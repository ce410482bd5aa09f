import type { Outcome } from "../../domain/problem.ts";
import type { UploadStep } from "../../domain/upload.ts";
import type { Post } from "./post.ts";

interface UploadInProgress {
  step: UploadStep;
  /** Ends the post, unless it is being stored. Resolves when it has ended. */
  end(): Promise<unknown>;
}

/** The uploads that are being received, by their ids. In memory only. */
export function newUploadsInProgress() {
  const uploads = new Map<string, UploadInProgress>();
  const keyOf = (form: string, uploadId: string) => `${form} ${uploadId}`;
  return {
    stepOf: (form: string, uploadId: string) => uploads.get(keyOf(form, uploadId))?.step ?? null,

    /**
     * Receives a post by `run`. Another post of the same upload ends first: the browser has given it up,
     * although its connection may look alive.
     */
    async receive(
      form: string,
      { uploadId, source }: Pick<Post, "uploadId" | "source">,
      run: (onStoring: () => void) => Promise<Outcome>,
    ): Promise<Outcome> {
      if (uploadId === undefined) return run(() => {});
      const key = keyOf(form, uploadId);
      for (let other = uploads.get(key); other; other = uploads.get(key)) await other.end();
      const ended = Promise.withResolvers<void>();
      const upload: UploadInProgress = {
        step: "checking",
        end() {
          source.destroy();
          return ended.promise;
        },
      };
      uploads.set(key, upload);
      try {
        return await run(() => {
          upload.step = "storing";
        });
      } finally {
        uploads.delete(key);
        ended.resolve();
      }
    },
  };
}
