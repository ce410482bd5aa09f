/** What the team's page of a request uses of the server, under its private link. */
import type { TeamServices } from "../context.ts";
import { openWorkSentences } from "../results/open-work.ts";
import { performTeamAction } from "./class-work/team-actions.ts";
import type { Config } from "./config/load-config.ts";
import { type ServiceParts, teamDownloads } from "./team-downloads.ts";

/** Max questions to the lead in each of the page's two lists: those with a reply, and those without. */
const maxShown = 50;

export function teamServices(config: Config, parts: ServiceParts): TeamServices {
  const { store, now, onStored } = parts;
  return {
    async findPage(token, { withFigures }) {
      const request = await store.findTeamRequest(token, now());
      if (!request) return null;
      const { assessmentId } = request;
      const work = await store.findOpenWork(assessmentId);
      const markers = await store.listMarkingLinks(assessmentId, now());
      const figures = withFigures ? await store.findMarkerFigures(assessmentId) : undefined;
      const asked = (filter: { isReplied: boolean }) =>
        store.listLeadQuestions(assessmentId, { ...filter, max: maxShown });
      return {
        ...request,
        markers: markers.map((link) => ({ ...link, figures: figures?.get(link.id) })),
        questions: {
          open: await asked({ isReplied: false }),
          waiting: work.items.filter(({ kind }) => kind === "question to the lead").length,
          replied: await asked({ isReplied: true }),
        },
        learners: await store.listClass(assessmentId),
        works: await store.listWorkFiles(assessmentId),
        scans: await store.listScanUploads(assessmentId),
        scriptsReady: await store.findScriptsReady(assessmentId),
        isWorkedOn: (await store.findClassJob(assessmentId))?.isLeased ?? false,
        open: { sentences: openWorkSentences(work), count: work.items.length },
      };
    },
    async perform(token, by, action) {
      const request = await store.findTeamRequest(token, now());
      if (!request) return null;
      const work = { store, config, now: now(), by };
      const result = await performTeamAction({ work, request, token }, action);
      onStored();
      return result;
    },
    async countMarks(token) {
      return (await store.findTeamRequest(token, now()))?.progress.total ?? 0;
    },
    async findPreview(token) {
      const request = await store.findTeamRequest(token, now());
      return (request && (await store.findImportedResults(request.assessmentId))) ?? null;
    },
    ...teamDownloads(config, parts),
  };
}
