import { Unavailable } from "#db/errors.ts";
import type { Store } from "#db/store.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { UploadProgress, UploadStatus } from "../../domain/upload.ts";
import { forms } from "../../forms/all-forms.ts";
import type { Config } from "../config/config.ts";
import { hasRoom } from "../disk-space.ts";
import { FairShare } from "../fair-share.ts";
import type { Log } from "../log.ts";
import { onceASecond } from "../once-a-second.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { newDraftQuota } from "./draft-quota.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { textPace } from "./read-post.ts";
import { type Receiving, receive } from "./receive.ts";
import { Slots } from "./slots.ts";
import { readFormTexts } from "./text-body.ts";
import { newUploadsInProgress } from "./uploads-in-progress.ts";
import { newVisitorWriter } from "./write-to-visitor.ts";

/** 256 of the largest; a school of 200 that posts at once needs 1 MB. */
const maxTextMemory = 32 * 1_048_576;

/**
 * Received files that do not belong to a request yet, of all clients together. Drafts may take half
 * of it, those of one client a quarter, so that no client fills the space that all share.
 */
const maxStagedBytes = 1024 * 1_048_576;

/** One client may use half of the slots, so that it cannot block all others. */
const slotLimits = (slots: number) => ({
  slots,
  perClient: Math.ceil(slots / 2),
  queue: 12,
  timeoutMs: 30_000,
});

export interface Intake {
  receive(form: FormName, post: Post): Promise<Outcome>;
  /** Reads the texts of a post that is no form's; undefined if it is malformed or too slow. */
  readTexts(post: IncomingPost): Promise<Record<string, string> | undefined>;
  /** What has arrived of an upload. */
  findUpload(form: FormName, uploadId: string): Promise<UploadStatus>;
  /** How far its post is; asks no database, which may be busy with it. */
  findProgress(form: FormName, uploadId: string): UploadProgress;
  uploads: Slots;
}

/** A database server watches its disk itself. */
type IntakeConfig = Omit<Config, "databaseFile"> & { databaseFile: string | undefined };

interface IntakeParts {
  store: Store;
  now: () => Date;
  log: Log;
  scanner: VirusScanner | undefined;
  /** Called after each stored request, because its email is due. */
  onReceived(): void;
}

export function openIntake(config: IntakeConfig, parts: IntakeParts): Intake {
  const { store, now, log, scanner } = parts;
  const uploads = new Slots(slotLimits(config.uploadSlots));
  const dependencies: IntakeDependencies = {
    store,
    takeSlot: (client, signal) => uploads.take(client, signal),
    hasFreeSpace: newDiskCheck(config),
    scanner,
    maxStagedBytes,
    activePosts: new Set(),
    draftQuota: newDraftQuota(maxStagedBytes / 4, now),
    acceptsTests: config.testForms,
    textMemory: new FairShare(maxTextMemory),
    minElapsedMs: config.minElapsedMs,
    productName: config.brand.name,
    writeToVisitor: newVisitorWriter(config, store, now, log),
    hasWebhook: config.webhook !== undefined,
    now,
    log,
  };
  const inProgress = newUploadsInProgress();
  return {
    async receive(form, post) {
      const receiving = { form: forms[form], post, dependencies, onStoring: () => {} };
      const { uploadId, source } = post;
      const outcome =
        uploadId === undefined
          ? await receive(receiving)
          : await inProgress.receive({ form, uploadId }, source, (progress) =>
              receive(withProgress(receiving, progress)),
            );
      if (outcome.received) parts.onReceived();
      return outcome;
    },
    readTexts: ({ contentType, source }) =>
      readFormTexts(contentType, { source, pace: textPace }).catch(() => undefined),
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

/** Returns a check of the free disk space. In a second far less arrives than must stay free. */
function newDiskCheck({ databaseFile }: IntakeConfig): () => Promise<boolean> {
  if (databaseFile === undefined) return async () => true;
  return onceASecond(() =>
    hasRoom(databaseFile).catch((error) => {
      throw new Unavailable(`The database cannot be reached: ${error.message}`);
    }),
  );
}
