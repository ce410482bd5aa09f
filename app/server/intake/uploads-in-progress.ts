import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { UploadProgress } from "../../domain/upload.ts";

/** How long a post may be silent before what has arrived of it is taken as final. */
const silenceMs = 500;
const maxSettleMs = 5000;

interface UploadInProgress extends UploadProgress {
  /** Ends the post, unless it is being stored. Resolves when it has ended. */
  end(): Promise<void>;
  ended: Promise<void>;
}

/** The posts of uploads that are being received, by the uploads' ids. In memory only. */
export function newUploadsInProgress() {
  const uploads = new Map<string, UploadInProgress>();
  return {
    progressOf({ form, uploadId }: { form: string; uploadId: string }): UploadProgress {
      const { step = null, received = 0 } = uploads.get(`${form} ${uploadId}`) ?? {};
      return { step, received };
    },

    /**
     * Waits while a post makes progress: after a lost connection, what has arrived is still being read. Not for
     * long, because the connection may be alive.
     */
    async settle({ form, uploadId }: { form: string; uploadId: string }): Promise<void> {
      const until = performance.now() + maxSettleMs;
      const find = () => uploads.get(`${form} ${uploadId}`);
      let before = -1;
      for (let upload = find(); upload && upload.received > before; upload = find()) {
        if (performance.now() > until) return;
        before = upload.received;
        await Promise.race([upload.ended, setTimeout(silenceMs)]);
      }
    },

    /**
     * Receives a post by `run`, which keeps its progress up to date. Another post of the same upload ends first:
     * the browser has given it up, although its connection may look alive.
     */
    async receive<Result>(
      { form, uploadId }: { form: string; uploadId: string },
      source: Readable,
      run: (progress: UploadProgress) => Promise<Result>,
    ): Promise<Result> {
      const key = `${form} ${uploadId}`;
      for (let other = uploads.get(key); other; other = uploads.get(key)) await other.end();
      const ended = Promise.withResolvers<void>();
      const upload: UploadInProgress = {
        step: "checking",
        received: 0,
        ended: ended.promise,
        end() {
          source.destroy();
          return ended.promise;
        },
      };
      uploads.set(key, upload);
      try {
        return await run(upload);
      } finally {
        uploads.delete(key);
        ended.resolve();
      }
    },
  };
}
