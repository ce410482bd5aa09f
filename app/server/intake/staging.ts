/** Staging of files that have arrived whole: checked, scanned, and stored until a request or draft has them. */
import type { Store } from "#db/store.ts";
import { draftLifetimeMs, type NewFile, type StagedFile } from "../../domain/upload.ts";
import { Rejection } from "../rejection.ts";
import { validateFile } from "./file-validation.ts";
import type { IntakeDependencies } from "./intake.ts";

const harmful =
  "The virus scanner found something harmful in this file. Please check your computer, and send a clean copy";

/**
 * Returns the max bytes of all received files that do not belong to a request yet. The drafts of one client may take
 * half of these bytes: ten classes of a school fit, and no client fills the space that all share.
 */
export const maxStagedBytes = (maxFileBytes: number): number => 1024 * maxFileBytes;

/** A file as it arrived. `size` is its true size, even if its bytes are cut off at the limit. */
interface ArrivedFile {
  field: string;
  fileName: string;
  size: number;
}

/**
 * Validates a file, has it scanned and stages it.
 * @param draft the draft of an upload by script to stage it in
 * @returns the staged file, or an error message that names the file
 * @throws Unavailable if it cannot be scanned or staged, FilesGone if the draft has ended
 */
export async function stageIfValid(
  { field, fileName, size }: ArrivedFile,
  bytes: Buffer,
  { store, scanner, maxFileBytes, now }: IntakeDependencies,
  draft?: NewFile["draft"],
): Promise<StagedFile | { error: string }> {
  const validation = validateFile({ fileName, size }, bytes, maxFileBytes);
  if ("error" in validation) return validation;
  if (await scanner?.finds(bytes)) return { error: `${validation.name}: ${harmful}` };
  return await store.stageFile(
    { field, bytes, draft, ...validation },
    maxStagedBytes(maxFileBytes),
    now(),
  );
}

interface CountedDraft {
  token: string;
  form: string;
  client: string;
  bytes: number;
}

/** Limits the bytes in the drafts of one client. Counts in memory only, because clients' addresses are never stored. */
export class DraftLimit {
  readonly #drafts = new Map<string, CountedDraft & { until: number }>();
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Checks that a client's drafts have room for the bytes of a new or changed draft.
   * @param token of the draft, if it is counted already
   * @throws Rejection 503 if all drafts of the client together would hold too much
   */
  async checkRoom(
    { token, client, bytes }: { token: string | undefined; client: string; bytes: number },
    { store, now }: { store: Pick<Store, "findDraft">; now: () => Date },
  ): Promise<void> {
    const hasRoom = () => {
      const others = this.#draftsOf(client, now()).filter((draft) => draft.token !== token);
      return others.reduce((sum, draft) => sum + draft.bytes, bytes) <= this.#maxBytes;
    };
    if (hasRoom()) return;
    // Another server may have stored the requests of some of these drafts: stop counting those.
    for (const draft of this.#draftsOf(client, now())) {
      const stored = await store.findDraft(draft.token, draft.form, now());
      if (!stored?.files.length) this.#drafts.delete(draft.token);
    }
    if (!hasRoom()) throw tooMuch();
  }

  /** Counts the bytes that a draft holds now, for the client that began the draft. */
  count(draft: CountedDraft, now: Date): void {
    const client = this.#drafts.get(draft.token)?.client ?? draft.client;
    this.#drafts.set(draft.token, { ...draft, client, until: now.getTime() + draftLifetimeMs });
  }

  /** Ends the count of a draft that has become a request. */
  release(token: string): void {
    this.#drafts.delete(token);
  }

  #draftsOf(client: string, now: Date): CountedDraft[] {
    for (const [token, { until }] of this.#drafts) {
      if (until <= now.getTime()) this.#drafts.delete(token);
    }
    return [...this.#drafts.values()].filter((draft) => draft.client === client);
  }
}

const tooMuch = () =>
  new Rejection(
    503,
    "too_much_staged",
    "More files are waiting to be completed from your network than we keep. Please try again later.",
    { retryAfter: 60 },
  );
