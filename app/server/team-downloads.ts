/** The team page's downloads. `tellOfExport` records and emails each download of names: all except single files. */
import type { Store } from "#db/store.ts";
import type { Download, MarksFile, TeamMarksOptions } from "../context.ts";
import type { NameExport, TeamRequest } from "../domain/team.ts";
import { isWorkError } from "./class-work/class-work.ts";
import { classNumberOf, coverSheets } from "./class-work/cover-sheets.ts";
import { archivedScripts } from "./class-work/learner-scripts.ts";
import { draftOf, sheetText } from "./class-work/proposals-sheet.ts";
import { tellOfExport } from "./class-work/team-notice.ts";
import type { Config } from "./config/load-config.ts";
import { Rejection } from "./rejection.ts";
import { type ArchivedFile, archived, zipOf } from "./requests/request-archive.ts";
import { attachment, downloadOf } from "./results/marks-files.ts";
import { type Release, Semaphore } from "./semaphore.ts";

/** An archive has one file in memory, for as long as a client takes to receive it. */
const archiveLimits = {
  max: 4,
  maxPerClient: 1,
  maxWaitingPerClient: 2,
  maxWaitMs: 30_000,
  busy: "Many files are being put into archives. Please try again in a minute.",
};

/** Each script is written by a child process, which takes a processor for a second. */
const scriptLimits = { ...archiveLimits, max: 1 };

const unprepared = () =>
  new Rejection(
    503,
    "unprepared",
    "The scripts are being prepared. Please try again in a few minutes.",
    { retryAfter: 60 },
  );

/** How many questions the sheet of a class without questions has room for. */
const questionsInSheet = 5;

export interface ServiceParts {
  store: Store;
  now: () => Date;
  /** Called after something is stored, because an email about it may be due. */
  onStored(): void;
}

export function teamDownloads(config: Config, { store, now, onStored }: ServiceParts) {
  const archives = new Semaphore(archiveLimits);
  const scripts = new Semaphore(scriptLimits);
  const tell = async (request: TeamRequest, action: NameExport, signal: AbortSignal) => {
    // A client that has disconnected gets no names, so nothing was exported.
    if (signal.aborted) return;
    await tellOfExport({ store, config, now: now() }, request, action);
    onStored();
  };
  return {
    async openFile(token: string, fileId: number) {
      const found = await store.findTeamFile(token, fileId);
      return found ? { ...found, disposition: attachment(found.name) } : null;
    },
    async openMarks(token: string, file: string, { signal, ...options }: TeamMarksOptions) {
      const request = await store.findTeamRequest(token, now());
      if (!request) return null;
      const found =
        file === "sheet"
          ? await proposalsSheet(store, request)
          : downloadOf(await store.findImportedResults(request.assessmentId), file, {
              ...config.brand.results,
              ...options,
            });
      if (found) await tell(request, "names exported", signal);
      return found;
    },
    async openSheets(token: string, signal: AbortSignal) {
      const request = await store.findTeamRequest(token, now());
      if (!request) return null;
      const { assessmentId, reference } = request;
      const release = await archives.acquire(token, { signal });
      try {
        const learners = await store.listClass(assessmentId);
        const listed = learners.filter(({ isNumberListed }) => isNumberListed);
        const pdf = listed.length > 0 && (await coverSheets(listed, classNumberOf(reference)));
        if (!pdf || isWorkError(pdf)) return null;
        await tell(request, "names exported", signal);
        const disposition = attachment(`cover sheets ${reference}.pdf`);
        return { disposition, mediaType: "application/pdf", bytes: pdf };
      } finally {
        release();
      }
    },
    async openArchive(token: string, signal: AbortSignal) {
      const request = await store.findTeamRequest(token, now());
      if (!request) return null;
      const place = await archives.acquireUntilAbort(token, { signal });
      return await archiveOf(`${request.reference}.zip`, place, async () => {
        await tell(request, "files exported", signal);
        return archived(store, request.files);
      });
    },
    async openScripts(token: string, signal: AbortSignal) {
      const request = await store.findTeamRequest(token, now());
      if (request?.status !== "published") return null;
      const { assessmentId, reference } = request;
      // If the pictures were deleted as unused, the class is rendered first: a script has no page without a picture.
      if (!signal.aborted && (await store.queueClassJob(assessmentId, now()))) throw unprepared();
      const place = await scripts.acquireUntilAbort(token, { signal });
      return await archiveOf(`scripts ${reference}.zip`, place, async () => {
        // A published class has results.
        const results = (await store.findImportedResults(assessmentId))!;
        await tell(request, "scripts exported", signal);
        return await archivedScripts(store, assessmentId, results);
      });
    },
  };
}

/** Returns an archive. Gives the place back when the archive has been read, or its files cannot be listed. */
async function archiveOf(
  name: string,
  release: Release,
  list: () => Promise<ArchivedFile[]>,
): Promise<Download<AsyncIterable<Uint8Array>>> {
  try {
    const bytes = releasing(zipOf(await list()), release);
    return { disposition: attachment(name), mediaType: "application/zip", bytes };
  } catch (error) {
    release();
    throw error;
  }
}

async function proposalsSheet(
  store: Store,
  { assessmentId, reference }: TeamRequest,
): Promise<MarksFile> {
  const text = sheetText(await draftOf(store, assessmentId, questionsInSheet));
  return { disposition: attachment(`proposals ${reference}.csv`), text };
}

/** Gives back a place when the last chunk is read, or the reader stops; not if the reader never begins. */
async function* releasing<Chunk>(chunks: AsyncIterable<Chunk>, release: () => void) {
  try {
    yield* chunks;
  } finally {
    release();
  }
}
