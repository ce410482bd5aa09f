import { type Store, Unavailable } from "#db/store.ts";
import type { Brand } from "../../brand.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { FormName } from "../../domain/request.ts";
import type { NewTeamLink } from "../../domain/team.ts";
import type { FileUpload, UploadStatus } from "../../domain/upload.ts";
import { forms } from "../../forms/all-forms.ts";
import { newEmailedTeamLink } from "../class-work/team-link.ts";
import type { Config } from "../config/load-config.ts";
import type { Log } from "../log.ts";
import { Semaphore } from "../semaphore.ts";
import { hasRoom } from "../system/disk-space.ts";
import { onceASecond } from "../system/once.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import { drain, isCutOff, textPace } from "./body.ts";
import { type FileOutcome, findUpload, receiveFile } from "./draft-upload.ts";
import { maxTextBytes, readTexts } from "./form-body.ts";
import { receive } from "./receive.ts";
import { openScanIntake, type ScanIntake } from "./scan-intake.ts";
import { DraftLimit, maxStagedBytes } from "./staging.ts";
import { UploadTurns } from "./upload-turns.ts";
import { newVisitorWriter, type WriteToVisitor } from "./write-to-visitor.ts";

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
  /** "page": the body is an HTML form's. "api": it is what an endpoint takes. */
  from: "page" | "api";
}

/** What the intake of a post depends on. */
export interface IntakeDependencies {
  store: Store;
  /** Says when a client may send files. */
  turns: Pick<UploadTurns, "take" | "isCrowded">;
  /** Whether the disk has the space that must stay free. Throws Unavailable if the database is gone. */
  hasFreeSpace(): Promise<boolean>;
  /** Undefined if files are not scanned. */
  scanner: VirusScanner | undefined;
  /** Max bytes of a file. Other limits are multiples of this one. */
  maxFileBytes: number;
  draftLimit: DraftLimit;
  /** Whether `?test` marks a post as a test. */
  acceptsTests: boolean;
  /** Min time from the page load to the post; a visitor whose post comes sooner is asked to send it again. */
  minElapsedMs: number;
  brand: Brand;
  writeToVisitor: WriteToVisitor;
  /** Returns a link for the team's email about an upload; undefined if the email has none. */
  newTeamLink(): NewTeamLink | undefined;
  /** Whether a receiver of webhooks is set. */
  hasWebhook: boolean;
  now: () => Date;
  log: Log;
}

export interface Intake {
  receive(form: FormName, post: Post): Promise<Outcome>;
  /** Receives one file of an upload by script. */
  receiveFile(form: FormName, post: Post, file: FileUpload): Promise<FileOutcome>;
  /** Returns what has arrived of an upload by script. */
  findUpload(form: FormName, token: string): Promise<UploadStatus>;
  /** Reads the texts of a post that is no `Form`; undefined if the post is malformed or slow, or repeats a field. */
  readTexts(post: IncomingPost): Promise<Record<string, string> | undefined>;
  /** Receives the scans of classes that the team sends. */
  scans: ScanIntake;
  /** Says when a client may send files. */
  turns: UploadTurns;
  /** Places of uploads that are being read. */
  uploads: Semaphore;
}

/** `databaseFile` is undefined if a database server has the data: its disk is not watched here. */
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
  const uploads = new Semaphore(slotLimits(config.uploadSlots));
  const turns = new UploadTurns(uploads);
  const dependencies: IntakeDependencies = {
    store,
    turns,
    hasFreeSpace: newDiskCheck(config),
    scanner,
    maxFileBytes: config.maxFileBytes,
    draftLimit: new DraftLimit(maxStagedBytes(config.maxFileBytes) / 2),
    acceptsTests: config.testForms,
    minElapsedMs: config.minElapsedMs,
    brand: config.brand,
    writeToVisitor: newVisitorWriter(config, store, now, log),
    newTeamLink: () => newEmailedTeamLink(config),
    hasWebhook: config.webhook !== undefined,
    now,
    log,
  };
  return {
    async receive(form, post) {
      const outcome = await receive({ form: forms[form], post, dependencies });
      if (outcome.received) parts.onReceived();
      return outcome;
    },
    receiveFile: (form, post, file) => receiveFile(forms[form], post, file, dependencies),
    findUpload: (form, token) => findUpload(forms[form], token, dependencies),
    async readTexts(post) {
      try {
        return await readTexts(post, { rejectsDoubles: true });
      } catch (error) {
        // Do not wait again for a client that was too slow.
        if (!isCutOff(error)) {
          await drain({ source: post.source, pace: textPace }, 8 * maxTextBytes);
        }
        return undefined;
      }
    },
    scans: openScanIntake(dependencies),
    turns,
    uploads,
  };
}

/** Returns a check of the disk space, run at most once a second: far less arrives in a second than must stay free. */
function newDiskCheck({ databaseFile }: IntakeConfig): () => Promise<boolean> {
  if (databaseFile === undefined) return async () => true;
  return onceASecond(() =>
    hasRoom(databaseFile).catch((error) => {
      throw new Unavailable(`The database cannot be reached: ${error.message}`);
    }),
  );
}
