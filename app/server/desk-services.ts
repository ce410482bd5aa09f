/** What the marking desk uses of the server. */
import type { Store } from "#db/store.ts";
import type { DeskServices } from "../context.ts";
import type { Log } from "./log.ts";
import { attachment } from "./results/marks-files.ts";

export function deskServices(store: Store, now: () => Date, log: Log): DeskServices {
  /** Pages are shown even if nothing can be written. */
  const record = async (written: Promise<unknown>, what: string) => {
    await written.catch((error) => log.error(what, error));
  };
  return {
    async find(token) {
      const found = await store.findDesk(token, now());
      if ("state" in found) return null;
      if (found.link.openedAt === null) {
        const missing = "a marking link was opened, and the audit lacks it";
        await record(store.markMarkingLinkOpened(token, now()), missing);
      }
      return found;
    },
    findWork: async (token, of) => (await store.findWork(token, of, now())) ?? [],
    findPage: async (token, page) => (await store.findPage(token, page, now())) ?? null,
    async openOriginal(token, fileId) {
      const found = await store.openOriginal(token, fileId, now());
      if (!found) return null;
      const { name, ...file } = found;
      return { ...file, disposition: attachment(name) };
    },
    recordOpen: (token, answer) =>
      record(
        store.openAnswer(token, answer, now()),
        "an answer was opened, and others may get it too",
      ),
    takeNext: (token, from) => store.takeNextAnswer(token, from, now()),
    decide: (token, decision) => store.decideAnswer(token, decision, now()),
    saveDraft: (token, draft) =>
      record(store.saveMarkDraft(token, draft, now()), "a draft of a mark was not stored"),
    placeStamp: (token, answer, stamp) => store.placeStamp(token, answer, stamp, now()),
    removeStamp: (token, answer, stampId) => store.removeStamp(token, answer, stampId, now()),
    turnPage: (token, answer, page) => store.turnPage(token, answer, page, now()),
    setPaper: (token, paper) => store.setPaper(token, paper, now()),
    changeLearners: (token, change) => store.changeLearners(token, change, now()),
    findProblemPages: (token) => store.findProblemPages(token, now()),
    changeProblemPages: (token, change) => store.changeProblemPages(token, change, now()),
  };
}
