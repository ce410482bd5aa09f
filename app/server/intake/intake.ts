import type { Store } from "#db/store.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { UploadStep } from "../../domain/upload.ts";
import type { Config } from "../config/config.ts";
import { hasFreeSpace } from "../http/health.ts";
import type { Log } from "../log.ts";
import { newDraftQuota } from "./draft-quota.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { receivers } from "./receivers.ts";
import { newSlots, type Slots } from "./slots.ts";
import { UploadProgress } from "./upload-progress.ts";

export interface Intake {
  receive(form: FormName, post: Omit<Post, "onStoring" | "diskIsFull">): Promise<Outcome>;
  findStep(uploadId: string): UploadStep | undefined;
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
  const progress = new UploadProgress();
  const disk = newDiskCheck(config);
  return {
    async receive(form, incoming) {
      const post = { ...incoming, diskIsFull: !(await disk.hasFreeSpace()) };
      const uploadId = UploadProgress.uploadIdIn(post.query);
      progress.set(uploadId, "checking");
      const onStoring = () => progress.set(uploadId, "storing");
      const outcome = await receivers[form]({ ...post, onStoring }, dependencies).finally(() =>
        progress.delete(uploadId),
      );
      if (outcome.received) onReceived();
      return outcome;
    },
    findStep: (uploadId) => progress.find(uploadId),
    uploads,
  };
}

/**
 * Checks free disk space at most once a second; in between far less arrives than must stay free.
 */
function newDiskCheck({ dataDir, diskFloorMb }: Config) {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<boolean>;
  return {
    hasFreeSpace() {
      if (performance.now() - checkedAt > 1000) {
        checkedAt = performance.now();
        result = hasFreeSpace(dataDir, diskFloorMb);
        // Do not cache an error; check again for the next post.
        result.catch(() => {
          checkedAt = Number.NEGATIVE_INFINITY;
        });
      }
      return result;
    },
  };
}
