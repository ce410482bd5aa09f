import type { Store } from "#db/store.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { UploadStep } from "../../domain/upload.ts";
import type { Config } from "../config/config.ts";
import { hasRoom } from "../http/health.ts";
import type { Log } from "../log.ts";
import { newDraftQuota } from "./draft-quota.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { receivers } from "./receivers.ts";
import { newSlots, type Slots } from "./slots.ts";
import { Steps } from "./upload-progress.ts";

export interface Intake {
  receive(form: FormName, post: Omit<Post, "onStoring" | "diskIsFull">): Promise<Outcome>;
  findStep(uploadId: string): UploadStep | undefined;
  uploads: Slots;
}

/** @param onReceived called when a letter may be due */
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
    takesTests: config.testForms,
    pace: config.limits,
    minElapsedMs: config.minElapsedMs,
    duplicateMs: config.duplicateMs,
    productName: config.brand.name,
    now,
    log,
  };
  const steps = new Steps();
  const disk = watchDisk(config);
  return {
    async receive(form, given) {
      const post = { ...given, diskIsFull: !(await disk.hasRoom()) };
      const uploadId = Steps.idOf(post.query);
      steps.set(uploadId, "checking");
      const onStoring = () => steps.set(uploadId, "storing");
      const outcome = await receivers[form]({ ...post, onStoring }, dependencies).finally(() =>
        steps.end(uploadId),
      );
      if (outcome.received) onReceived();
      return outcome;
    },
    findStep: (uploadId) => steps.find(uploadId),
    uploads,
  };
}

/** Asks the disk once a second at the most: what comes in between is far less than must stay free. */
function watchDisk({ dataDir, diskFloorMb }: Config) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean>;
  return {
    hasRoom() {
      if (performance.now() - askedAt > 1000) {
        askedAt = performance.now();
        answer = hasRoom(dataDir, diskFloorMb);
        // A fault is not remembered: the next post finds out whether it has passed.
        answer.catch(() => {
          askedAt = Number.NEGATIVE_INFINITY;
        });
      }
      return answer;
    },
  };
}
