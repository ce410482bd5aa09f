/** The services of the marking desk; the sample token opens a made-up class, of which nothing is stored. */
import type { Store } from "#db/store.ts";
import { type DeskServices, linkOperations } from "../context.ts";
import { sampleToken } from "../domain/result.ts";
import type { Config } from "./config/load-config.ts";
import { sampleDesk } from "./content/sample-desk.ts";
import type { Log } from "./log.ts";
import { attachment } from "./results/marks-files.ts";
import { once } from "./system/once.ts";

export function deskServices(
  { brand }: Pick<Config, "brand">,
  { store, now, log }: { store: Store; now: () => Date; log: Log },
): DeskServices {
  /** Waits for a write, and only logs its failure, so that the page is shown all the same. */
  const record = async (written: Promise<unknown>, what: string) => {
    await written.catch((error) => log.error(what, error));
  };
  const recordOpening = async (token: string, { openedAt }: { openedAt: string | null }) => {
    if (openedAt !== null) return;
    await record(store.markLinkOpened(token, now()), "a link was opened, and the audit lacks it");
  };
  /** Returns what `find` finds. If the desk of the link's class is not prepared, prepares it and runs `find` again. */
  const prepared = async <Found extends object>(token: string, find: () => Promise<Found>) => {
    const found = await find();
    if (!("state" in found) || found.state !== "unprepared") return found;
    await store.prepareDeskOf(token, now());
    return await find();
  };
  const openSample = once(() => sampleDesk(Boolean(brand.model)));
  const sampleOf = (token: string) => (token === sampleToken ? openSample() : undefined);
  return {
    ...atNow(store, now),
    async takeNextAnswer(token, from) {
      const next = sampleOf(token)?.next(from);
      return next ? { outcome: "answer", ...next } : await store.takeNextAnswer(token, from, now());
    },
    async findDeskHead(token, isRead) {
      const sample = sampleOf(token);
      if (sample) return sample.head;
      const found = await prepared(token, () => store.findDeskHead(token, now()));
      if ("state" in found) return null;
      if (isRead) await recordOpening(token, found.link);
      return found;
    },
    async findDesk(token) {
      const sample = sampleOf(token);
      if (sample) return sample.desk;
      const found = await store.findDesk(token, now());
      return "state" in found ? null : found;
    },
    async openAnswer(token, { isRead, ...answer }) {
      const sample = sampleOf(token);
      if (sample) return sample.answer(answer) ?? "missing";
      const found = await prepared(token, () => store.findAnswer(token, answer, now()));
      if ("state" in found) return found.state === "missing" ? "missing" : null;
      if (!isRead) return found;
      await recordOpening(token, found.head.link);
      if (!found.isOpened && !found.head.signed) {
        const what = "an answer was opened, and others may get it too";
        await record(store.openAnswer(token, answer, now()), what);
      }
      return found;
    },
    async openOriginal(token, fileId, isRead) {
      const found = await store.openOriginal(token, { fileId, isRead }, now());
      if (!found) return null;
      const { name, ...file } = found;
      return { ...file, disposition: attachment(name) };
    },
  };
}

/**
 * Returns the store's operations under a private link, with the current time passed as the last argument of each. The
 * cast restores the type of each operation, which `Object.fromEntries` loses.
 */
const atNow = (store: Store, now: () => Date) =>
  Object.fromEntries(
    linkOperations.map((name) => [
      name,
      (...args: unknown[]) => (store[name] as (...all: unknown[]) => unknown)(...args, now()),
    ]),
  ) as Pick<DeskServices, (typeof linkOperations)[number]>;
