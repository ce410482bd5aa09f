/** What the team's page of a request uses of the server, under its private link. */
import type { Store } from "#db/store.ts";
import type { TeamServices } from "../context.ts";
import type { TeamRequest } from "../domain/team.ts";
import { openWorkSentences } from "../results/open-work.ts";
import { isWorkError } from "./class-work/class-work.ts";
import { classNumberOf, coverSheets } from "./class-work/cover-sheets.ts";
import { draftOf, sheetText } from "./class-work/proposals-sheet.ts";
import { performTeamAction } from "./class-work/team-actions.ts";
import type { Config } from "./config/load-config.ts";
import { archived, zipOf } from "./requests/request-archive.ts";
import { attachment, downloadOf } from "./results/marks-files.ts";
import { Semaphore } from "./semaphore.ts";

/** An archive has one file in memory, for as long as a client takes to receive it. */
const archiveLimits = {
  max: 4,
  maxPerClient: 1,
  maxWaitingPerClient: 2,
  maxWaitMs: 30_000,
  busy: "Many files are being put into archives. Please try again in a minute.",
};

/** So many questions to the lead fit on the page. */
const maxShown = 50;

export function teamServices(
  config: Config,
  {
    store,
    now,
    onStored,
  }: {
    store: Store;
    now: () => Date;
    /** Called after an action, because its email may be due. */
    onStored(): void;
  },
): TeamServices {
  const archives = new Semaphore(archiveLimits);
  const findRequest = async (token: string) => (await store.findTeamRequest(token, now())) ?? null;
  return {
    async findPage(token) {
      const request = await findRequest(token);
      if (!request) return null;
      const { assessmentId } = request;
      const work = await store.findOpenWork(assessmentId);
      const markers = await store.listMarkingLinks(assessmentId, now());
      const figures = await store.findMarkerFigures(assessmentId);
      const asked = (isReplied: boolean) =>
        store.listLeadQuestions(assessmentId, { isReplied, max: maxShown });
      return {
        ...request,
        markers: markers.map((link) => ({ ...link, figures: figures.get(link.id) })),
        questions: {
          open: await asked(false),
          waiting: work.items.filter(({ kind }) => kind === "question to the lead").length,
          replied: await asked(true),
        },
        learners: await store.listClass(assessmentId),
        works: await store.listWorkFiles(assessmentId),
        scans: await store.listScanUploads(assessmentId),
        isWorkedOn: (await store.findClassJob(assessmentId))?.isWorkedOn ?? false,
        open: { sentences: openWorkSentences(work), count: work.items.length },
      };
    },
    async perform(token, by, action) {
      const request = await findRequest(token);
      if (!request) return null;
      const work = { store, config, now: now(), by };
      const result = await performTeamAction({ work, of: request, token }, action);
      onStored();
      return result;
    },
    async openFile(token, fileId) {
      const found = await store.findTeamFile(token, fileId);
      return found ? { ...found, disposition: attachment(found.name) } : null;
    },
    openMarks: async (token, file) => marksFile(await findRequest(token), file, { store, config }),
    async openSheets(token, signal) {
      const request = await findRequest(token);
      if (!request) return null;
      const { assessmentId, reference } = request;
      const release = await archives.acquire(token, { signal });
      try {
        const learners = await store.listClass(assessmentId);
        const listed = learners.filter(({ isNumberListed }) => isNumberListed);
        const pdf = listed.length > 0 && (await coverSheets(listed, classNumberOf(reference)));
        if (!pdf || isWorkError(pdf)) return null;
        const disposition = attachment(`cover sheets ${reference}.pdf`);
        return { disposition, mediaType: "application/pdf", bytes: pdf };
      } finally {
        release();
      }
    },
    async openArchive(token, signal) {
      const request = await findRequest(token);
      if (!request) return null;
      const { reference, files } = request;
      const release = await archives.acquire(token, { signal });
      signal.addEventListener("abort", release, { once: true });
      await store.openAudit("files exported", now(), reference);
      return {
        disposition: attachment(`${reference}.zip`),
        mediaType: "application/zip",
        bytes: releasing(zipOf(archived(store, files)), release),
      };
    },
  };
}

/** Room in a sheet for a class without questions. */
const questionsInSheet = 5;

/** The marks of a request as a CSV file, or the sheet for proposals. */
async function marksFile(
  request: TeamRequest | null,
  file: string,
  { store, config }: { store: Store; config: Config },
): ReturnType<TeamServices["openMarks"]> {
  if (request && file === "sheet") {
    const target = (await store.findMarkingTarget(request.reference))!;
    const text = sheetText(await draftOf(store, target, questionsInSheet));
    return { disposition: attachment(`proposals ${request.reference}.csv`), text };
  }
  const results = request && (await store.findImportedResults(request.assessmentId));
  const { levels } = config.brand.results;
  const options = { levels, withProposals: false, withPoints: false };
  return (results && downloadOf(results, file, options)) ?? null;
}

/** Gives back a place when the last chunk is read, or the reader stops. */
async function* releasing<Chunk>(chunks: AsyncIterable<Chunk>, release: () => void) {
  try {
    yield* chunks;
  } finally {
    release();
  }
}
