import { type FetchedPart, fetchPart } from "../results/fetch-part.ts";
import type { TabStorage } from "./tab-storage.ts";

/** A mark that is on its way, could not be sent, or was rejected. */
export interface UnsentMark {
  learner: string;
  /** Learner and question, in words. */
  answer: string;
  /** What the form posts. */
  fields: Record<string, string>;
  /** Why the server has rejected the mark, which is then not sent again. */
  problem?: string;
}

/** The key of a mark's answer, as `keyIn` returns it. */
export const keyOf = ({ learner, fields }: UnsentMark) => `${learner}:${fields.question ?? ""}`;
const storageName = "desk-marks";
/** The name under which earlier releases stored marks. */
const oldStorageName = "unsaved";

/** The marks that are not stored yet or were rejected, in memory and in the tab's storage. */
export class UnsentMarks {
  readonly #storage: TabStorage;
  readonly #marks = new Map<string, UnsentMark>();
  readonly #inFlight = new Set<UnsentMark>();

  /**
   * Reads the marks that an earlier page of the tab has left.
   * @param options.isMarkers whether a marker's link opens the desk. Otherwise marks under the old name are not read:
   *   results pages wrote them, and named a learner by position
   */
  constructor(storage: TabStorage, { isMarkers }: { isMarkers: boolean }) {
    this.#storage = storage;
    const read = (from: string) => (storage.read(from) as UnsentMark[] | undefined) ?? [];
    for (const mark of read(storageName)) this.#marks.set(keyOf(mark), mark);
    const old = isMarkers ? read(oldStorageName) : [];
    for (const mark of old) {
      if (!this.has(keyOf(mark)))
        this.keep({ ...mark, answer: `Question ${mark.fields.question}` });
    }
    if (old.length > 0) storage.write(oldStorageName, []);
  }

  /** The marks that are not on their way. */
  all = (): UnsentMark[] => [...this.#marks.values()].filter((mark) => !this.#inFlight.has(mark));
  /** The marks to be sent again. */
  waiting = () => this.all().filter(({ problem }) => !problem);
  isSending = () => this.#inFlight.size > 0;
  has = (key: string) => this.#marks.has(key);
  /** Whether no mark is left to be stored; rejected ones do not count. */
  isEmpty = () => [...this.#marks.values()].every(({ problem }) => problem);

  keep(mark: UnsentMark): void {
    this.#marks.set(keyOf(mark), mark);
    this.#store();
  }

  /** Removes a mark, unless a later one of the same answer has replaced it. */
  forget(mark: UnsentMark): void {
    const key = keyOf(mark);
    if (this.#marks.get(key) !== mark) return;
    this.#marks.delete(key);
    this.#store();
  }

  /** Posts a mark once `before` is settled. If the mark cannot be sent, keeps it and resolves to undefined. */
  async send(
    url: string,
    mark: UnsentMark,
    before?: Promise<unknown>,
  ): Promise<FetchedPart | undefined> {
    // Keep the mark first, because the page may be closed before there is a response.
    this.keep(mark);
    this.#inFlight.add(mark);
    try {
      await before;
      const part = await fetchPart(url, mark.fields);
      this.forget(mark);
      return part;
    } catch {
      return undefined;
    } finally {
      this.#inFlight.delete(mark);
    }
  }

  #store(): void {
    this.#storage.write(storageName, [...this.#marks.values()]);
  }
}
