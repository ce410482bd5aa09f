import type { Store } from "#db/store.ts";
import type { Outcome, UploadStep } from "../../context.ts";
import type { FormName } from "../../domain/receipt.ts";
import type { Config } from "../config/config.ts";
import { hasRoom } from "../http/health.ts";
import type { Log } from "../log.ts";
import { newHeldShare } from "./draft-quota.ts";
import type { IntakeWorld, Post } from "./post.ts";
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
    perSender: config.uploadSlotsPerAddress,
    queue: config.uploadQueue,
    patienceMs: 30_000,
  });
  const world: IntakeWorld = {
    store,
    takeSlot: uploads.take,
    mostStagedBytes: config.mostStagedBytes,
    heldShare: newHeldShare(config.mostHeldBytes, now),
    takesTests: config.testForms,
    pace: config.limits,
    quickestMs: config.quickestMs,
    repeatMs: config.repeatMs,
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
      const outcome = await receivers[form]({ ...post, onStoring }, world).finally(() =>
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
