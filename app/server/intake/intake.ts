import type { Store } from "#db/store.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { UploadProgress, UploadStatus } from "../../domain/upload.ts";
import type { Config } from "../config/config.ts";
import { hasFreeSpace } from "../http/health.ts";
import type { Log } from "../log.ts";
import { newDraftQuota } from "./draft-quota.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { type Receiving, receive } from "./receive.ts";
import { receivers } from "./receivers.ts";
import { newSlots, type Slots } from "./slots.ts";
import { newUploadsInProgress } from "./uploads-in-progress.ts";

export interface Intake {
  receive(form: FormName, post: Post): Promise<Outcome>;
  /** What has arrived of an upload. */
  findUpload(form: FormName, uploadId: string): Promise<UploadStatus>;
  /** How far its post is; asks no database, which may be busy with it. */
  findProgress(form: FormName, uploadId: string): UploadProgress;
  uploads: Slots;
}

/** @param onReceived called after each stored request, because its email is due */
export function openIntake(
  config: Config,
  store: Store,
  now: () => Date,
  log: Log,
  onReceived: () => void,
): Intake {
  const uploads = newSlots({
    slots: config.uploadSlots,
    perClient: config.uploadSlotsPerAddress,
    queue: config.uploadQueue,
    timeoutMs: 30_000,
  });
  const dependencies: IntakeDependencies = {
    store,
    takeSlot: uploads.take,
    hasFreeSpace: newDiskCheck(config),
    maxStagedBytes: config.maxStagedBytes,
    draftQuota: newDraftQuota(config.maxDraftBytesPerClient, now),
    acceptsTests: config.testForms,
    pace: config.limits,
    minElapsedMs: config.minElapsedMs,
    duplicateMs: config.duplicateMs,
    productName: config.brand.name,
    now,
    log,
  };
  const inProgress = newUploadsInProgress();
  return {
    async receive(form, post) {
      const receiving = { form: receivers[form], post, dependencies, onStoring: () => {} };
      const { uploadId, source } = post;
      const outcome =
        uploadId === undefined
          ? await receive(receiving)
          : await inProgress.receive({ form, uploadId }, source, (progress) =>
              receive(withProgress(receiving, progress)),
            );
      if (outcome.received) onReceived();
      return outcome;
    },
    async findUpload(form, uploadId) {
      await inProgress.settle({ form, uploadId });
      const draft = await store.findDraft(uploadId, form, now());
      const { files = [], reference = null } = draft ?? {};
      return { files: files.map(({ id, position }) => ({ id, position })), reference };
    },
    findProgress: (form, uploadId) => inProgress.progressOf({ form, uploadId }),
    uploads,
  };
}

/** Keeps the progress up to date while the post is received. */
const withProgress = (receiving: Receiving, progress: UploadProgress): Receiving => ({
  ...receiving,
  post: {
    ...receiving.post,
    onBytes(bytes) {
      progress.received += bytes;
    },
  },
  onStoring() {
    progress.step = "storing";
  },
});

/**
 * Returns a check of the free disk space. It looks at most once a second; in between far less arrives
 * than must stay free.
 */
function newDiskCheck({ dataDir, diskFloorMb }: Config): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<boolean>;
  return () => {
    if (performance.now() - checkedAt > 1000) {
      checkedAt = performance.now();
      result = hasFreeSpace(dataDir, diskFloorMb);
      // Do not cache an error; check again for the next post.
      result.catch(() => {
        checkedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return result;
  };
}
