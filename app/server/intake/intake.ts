import { type Store, Unavailable } from "#db/store.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { FileUpload } from "../../domain/upload.ts";
import { forms } from "../../forms/all-forms.ts";
import { newEmailedTeamLink } from "../class-work/team-link.ts";
import type { Config } from "../config/load-config.ts";
import type { Log } from "../log.ts";
import { Rejection } from "../rejection.ts";
import { Semaphore } from "../semaphore.ts";
import { hasRoom } from "../system/disk-space.ts";
import { onceASecond } from "../system/once.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { drain, isCutOff, textPace } from "./body.ts";
import { findUpload, receiveFile } from "./draft-upload.ts";
import { maxTextBytes, readTexts } from "./form-body.ts";
import { receive } from "./receive.ts";
import { openScanIntake } from "./scan-intake.ts";
import { DraftLimit, maxStagedBytes } from "./staging.ts";
import { UploadTurns } from "./upload-turns.ts";
import { newVisitorWriter } from "./write-to-visitor.ts";

/**
 * Returns the limits of uploads. One client may use half of the slots, so that it cannot block all others. A post waits
 * longer than a stalled upload keeps its slot (30 s), and less than a connection may be silent (60 s).
 */
const slotLimits = (slots: number) => ({
  max: slots,
  maxPerClient: Math.ceil(slots / 2),
  maxWaitingPerClient: 12,
  maxWaitMs: 45_000,
  busy: "Many people are uploading at this moment. Nothing is lost: please try again in a few minutes.",
});

export interface Post extends IncomingPost {
  /** "page": the body is an HTML form. "api": it is JSON or an HTML form. */
  from: "page" | "api";
}

export type Intake = ReturnType<typeof openIntake>;

export type IntakeDependencies = ReturnType<typeof dependenciesOf>;

interface IntakeParts {
  store: Store;
  now: () => Date;
  log: Log;
  scanner: VirusScanner | undefined;
  /** Called after each stored request, because its email is due. */
  onReceived(): void;
}

function dependenciesOf(
  config: Config,
  { store, now, log, scanner }: IntakeParts,
  turns: Pick<UploadTurns, "take" | "isCrowded">,
) {
  return {
    store,
    turns,
    /** Whether the disk has the space that must stay free. Throws Unavailable if the database is gone. */
    hasFreeSpace: newDiskCheck(config),
    /** Undefined if files are not scanned. */
    scanner,
    /** Max bytes of a file. The limits on all bytes of staged files and drafts are multiples of it. */
    maxFileBytes: config.maxFileBytes,
    draftLimit: new DraftLimit(maxStagedBytes(config.maxFileBytes) / 2),
    /** Whether `?test` marks a post as a test. */
    acceptsTests: config.testForms,
    /** Min time from the page load to the post; a visitor whose post comes sooner is asked to send it again. */
    minElapsedMs: config.minElapsedMs,
    brand: config.brand,
    writeToVisitor: newVisitorWriter(config, store, now, log),
    /** Returns a link for the team's email about an upload; undefined if the email has none. */
    newTeamLink: () => newEmailedTeamLink(config),
    /** Whether a receiver of webhooks is set. */
    hasWebhook: config.webhook !== undefined,
    now,
    log,
  };
}

export function openIntake(config: Config, parts: IntakeParts) {
  const uploads = new Semaphore(slotLimits(config.uploadSlots));
  const turns = new UploadTurns(uploads);
  const dependencies = dependenciesOf(config, parts, turns);
  return {
    async receive(form: FormName, post: Post): Promise<Outcome> {
      const outcome = await receive({ form: forms[form], post, dependencies });
      if (outcome.received) parts.onReceived();
      return outcome;
    },
    receiveFile: (form: FormName, post: Post, file: FileUpload) =>
      receiveFile(forms[form], post, file, dependencies),
    findUpload: (form: FormName, token: string) => findUpload(forms[form], token, dependencies),
    /** Reads the texts of a post that has no `Form`; undefined if malformed, too large, slow, or with a field twice. */
    async readTexts(post: IncomingPost) {
      try {
        return await readTexts(post, { rejectsDoubles: true });
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        // Do not wait again for a client that was too slow.
        if (!isCutOff(error)) {
          await drain({ source: post.source, pace: textPace }, 8 * maxTextBytes);
        }
        return undefined;
      }
    },
    /** Receives the scans of classes that the team sends. */
    scans: openScanIntake(dependencies),
    /** Says when a client may send files. */
    turns,
    /** The places of the uploads that are being read. */
    uploads,
  };
}

/** Returns a check of the disk space, run at most once a second: far less arrives in a second than must stay free. */
function newDiskCheck({ databaseFile, databaseUrl }: Config): () => Promise<boolean> {
  // The disk of a database server is not watched here.
  if (databaseUrl !== undefined) return async () => true;
  return onceASecond(() =>
    hasRoom(databaseFile).catch((error) => {
      throw new Unavailable(`The database cannot be reached: ${error.message}`);
    }),
  );
}
