import { Unavailable } from "#db/errors.ts";
import type { Store } from "#db/store.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { UploadStep } from "../../domain/upload.ts";
import type { Config } from "../config/config.ts";
import { FairShare } from "../fair-share.ts";
import { hasRoom } from "../http/health.ts";
import type { Log } from "../log.ts";
import { newDraftQuota } from "./draft-quota.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { textPace } from "./read-post.ts";
import { receive } from "./receive.ts";
import { receivers } from "./receivers.ts";
import { Slots } from "./slots.ts";
import { readFormTexts } from "./text-body.ts";

/** 256 of the largest; a school of 200 that posts at once needs 1 MB. */
const maxTextMemory = 32 * 1_048_576;

export interface Intake {
  receive(form: FormName, post: Post): Promise<Outcome>;
  /** Reads the texts of a post that is no form's; undefined if it is malformed or too slow. */
  readTexts(post: IncomingPost): Promise<Record<string, string> | undefined>;
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
  const uploads = new Slots({
    slots: config.uploadSlots,
    perClient: config.uploadSlotsPerAddress,
    queue: config.uploadQueue,
    timeoutMs: 30_000,
  });
  const dependencies: IntakeDependencies = {
    store,
    takeSlot: (...args) => uploads.take(...args),
    hasFreeSpace: newDiskCheck(config),
    maxStagedBytes: config.maxStagedBytes,
    activePosts: new Set(),
    draftQuota: newDraftQuota(config.maxDraftBytesPerClient, now),
    acceptsTests: config.testForms,
    textMemory: new FairShare(maxTextMemory),
    pace: config.limits,
    maxTextMs: config.limits.maxTextMs,
    minElapsedMs: config.minElapsedMs,
    duplicateMs: config.duplicateMs,
    productName: config.brand.name,
    now,
    log,
  };
  /** Of the uploads in progress, by the id that the client chose. */
  const steps = new Map<string, UploadStep>();
  return {
    async receive(form, post) {
      const uploadId = uploadIdIn(post.query);
      const setStep = (step: UploadStep) => uploadId && steps.set(uploadId, step);
      setStep("checking");
      const outcome = await receive({
        form: receivers[form],
        post,
        dependencies,
        onStoring: () => setStep("storing"),
      }).finally(() => uploadId && steps.delete(uploadId));
      if (outcome.received) onReceived();
      return outcome;
    },
    readTexts: ({ contentType, source }) =>
      readFormTexts(contentType, { source, pace: textPace(dependencies) }).catch(() => undefined),
    findStep: (uploadId) => steps.get(uploadId),
    uploads,
  };
}

/** The upload id in a URL's query, or undefined if it is missing or malformed. */
function uploadIdIn(query: URLSearchParams): string | undefined {
  const id = query.get("upload");
  return id && /^[\w-]{16,64}$/.test(id) ? id : undefined;
}

/**
 * Returns a check of the free disk space. It looks at most once a second; in between far less arrives
 * than must stay free.
 */
function newDiskCheck({ databaseFile, diskFloorMb }: Config): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let result: Promise<boolean>;
  return () => {
    if (performance.now() - checkedAt > 1000) {
      checkedAt = performance.now();
      result = hasRoom(databaseFile, diskFloorMb).catch((error) => {
        throw new Unavailable(`The database cannot be reached: ${error.message}`);
      });
      // Do not cache an error; check again for the next post.
      result.catch(() => {
        checkedAt = Number.NEGATIVE_INFINITY;
      });
    }
    return result;
  };
}
