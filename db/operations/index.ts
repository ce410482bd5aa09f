/** The table of all operations, and how an engine runs each. The interface of the store is inferred from it. */
import { type Operation, read, type Tx, write } from "../operation.ts";
import type { OperationName } from "../store.ts";
import {
  agreeWithRest,
  decideAnswer,
  findAnswer,
  findDeskHead,
  openAnswer,
  saveMarkDraft,
  takeNextAnswer,
} from "./answers.ts";
import {
  endClassJob,
  findClassJob,
  findScriptsReady,
  hasFreeClassJob,
  queueClassJob,
  releaseClassJob,
  renewClassJob,
  storeJobRendering,
  takeClassJob,
} from "./class-jobs.ts";
import { takeClassList } from "./class-lists.ts";
import { findPastTimes, recordCleanup } from "./cleanup-time.ts";
import { decideMark } from "./decisions.ts";
import { findDesk, prepareDeskOf } from "./desk.ts";
import { hideProposals, prepareDesk } from "./desk-class.ts";
import { changeLearners } from "./desk-learners.ts";
import { findLinkKind } from "./desk-links.ts";
import { setPaper } from "./desk-paper.ts";
import { findDuplicate, findStored } from "./duplicates.ts";
import { eraseLearner, findLearner, listLearnerErasures } from "./erase-learner.ts";
import { eraseMarker } from "./erase-marker.ts";
import {
  eraseRequest,
  eraseSubscription,
  findDeleted,
  findRequestsBefore,
  openAudit,
} from "./erasure.ts";
import { handOverMarking } from "./hand-over.ts";
import {
  findImportedResults,
  findImportTarget,
  findMarkingTarget,
  importResults,
  listMarkedRequests,
} from "./imported-results.ts";
import { askLead, listLeadQuestions, replyToQuestion } from "./lead-questions.ts";
import { takeLease } from "./leases.ts";
import { findMarkerFigures } from "./marker-figures.ts";
import {
  addMarkingLink,
  closeMarkingLinks,
  findMarkingLink,
  listMarkingLinks,
  markMarkingLinkOpened,
} from "./marking-links.ts";
import { listMarksEvents } from "./marks-history.ts";
import { discardEmails, listEmails, retryEmails } from "./outbox-commands.ts";
import {
  countEmails,
  listSummedUp,
  markFailed,
  markSent,
  nextDueTime,
  oldestPendingEmail,
  renewLease,
  sumUpDueEmails,
  takeDueEmail,
} from "./outbox-delivery.ts";
import {
  deleteUnusedRenderings,
  findPage,
  findPaperFiles,
  findScriptPage,
  findScripts,
  hasScripts,
  listRenderings,
  listScripts,
  listUnrenderedFiles,
  openOriginal,
  readPageImage,
  storeRendering,
} from "./page-images.ts";
import { findMentions, findSubject, readRows } from "./personal-data.ts";
import {
  findOpenWork,
  findResults,
  findResultsHead,
  publishResults,
  revokeReadingCopies,
  revokeResults,
  shareResults,
} from "./publish-results.ts";
import { findUnreportedSpam, releaseFromQuarantine, reportSpam } from "./quarantine.ts";
import { findReceipt, findReceived } from "./receipts.ts";
import { listEndingLinks, remindOfLink } from "./reminders.ts";
import {
  findRequest,
  findRequests,
  listReferences,
  listRequests,
  listRequestsWithFiles,
} from "./request-records.ts";
import { failExpiredLinks, markLinkOpened } from "./result-links.ts";
import { countRequests, deleteRequestsBefore } from "./retention.ts";
import {
  addScanPart,
  deleteStaleScanUploads,
  discardScanUpload,
  endScanUpload,
  findScanTarget,
  findScanUpload,
  listScanUploads,
  nextScanUpload,
  openScanUpload,
  queueScanUpload,
  readScanPart,
} from "./scan-uploads.ts";
import { changeProblemPages, findProblemPages, findScans, listClass, storeScan } from "./scans.ts";
import { reopenResults, signResults } from "./signatures.ts";
import { placeStamp, removeStamp, turnPage } from "./stamps.ts";
import { submitRequest } from "./submit-request.ts";
import {
  announce,
  confirmSubscription,
  deleteUnconfirmed,
  findSubscription,
  findSubscriptionByToken,
  listSubscriptions,
  subscribe,
  unsubscribe,
} from "./subscribers.ts";
import { findTeamFile, findTeamRequest, recordTeamExport } from "./team.ts";
import { closeTeamLink, replaceTeamLink } from "./team-links.ts";
import { acknowledge, askToConfirm } from "./typed-addresses.ts";
import { deleteExpiredDrafts, findDraft, openDraft, saveDraft } from "./upload-drafts.ts";
import {
  deleteStaleStagedFiles,
  discardStagedFiles,
  listFiles,
  readFile,
  setFileField,
  stageFile,
} from "./uploaded-files.ts";
import { listWorkFiles, setWorkFile } from "./work-files.ts";

/** A balancer has to learn soon whether a server is ready. */
const probeTimeoutMs = 2000;
const post = { sharesCommit: true, isRepeatable: true } as const;

export const operations = {
  submitRequest: write(submitRequest, post),
  subscribe: write(subscribe, post),
  // Both confirm to a visitor that a request is stored, so they lock its row, which only a write may do.
  findDuplicate: write(findDuplicate, { isRepeatable: true }),
  findStored: write(findStored, { isRepeatable: true }),

  // A file needs no sync of its own: the commit that stores its request syncs everything before it in the WAL.
  stageFile: write(stageFile, { isUnsynced: true, isRepeatable: true }),
  setFileField: write(setFileField, { isRepeatable: true }),
  discardStagedFiles: write(discardStagedFiles, { isRepeatable: true }),
  deleteStaleStagedFiles: write(deleteStaleStagedFiles),
  findDraft: read(findDraft),
  openDraft: write(openDraft, { isUnsynced: true, isRepeatable: true }),
  saveDraft: write(saveDraft, { isRepeatable: true }),
  deleteExpiredDrafts: write(deleteExpiredDrafts),

  findReceived: read(findReceived),
  findReceipt: read(findReceipt),
  listRequests: read(listRequests),
  listReferences: read(listReferences),
  findRequests: read(findRequests),
  findRequest: read(findRequest),
  findRequestsBefore: read(findRequestsBefore),
  listFiles: read(listFiles),
  readFile: read(readFile),
  listRequestsWithFiles: read(listRequestsWithFiles),
  findDeleted: read(findDeleted),
  releaseFromQuarantine: write(releaseFromQuarantine),

  findMarkingTarget: read(findMarkingTarget),
  findImportedResults: read(findImportedResults),
  findImportTarget: read(findImportTarget),
  importResults: write(importResults),
  listMarkedRequests: read(listMarkedRequests),
  decideMark: write(decideMark),
  signResults: write(signResults, { isRepeatable: true }),
  reopenResults: write(reopenResults),
  listMarksEvents: read(listMarksEvents),
  publishResults: write(publishResults),
  revokeResults: write(revokeResults),
  shareResults: write(shareResults),
  revokeReadingCopies: write(revokeReadingCopies),
  findOpenWork: read(findOpenWork),
  findResults: read(findResults),
  findResultsHead: read(findResultsHead),
  markLinkOpened: write(markLinkOpened, { isRepeatable: true }),
  listEndingLinks: read(listEndingLinks),
  remindOfLink: write(remindOfLink),

  replaceTeamLink: write(replaceTeamLink, { isRepeatable: true }),
  closeTeamLink: write(closeTeamLink),
  findTeamRequest: read(findTeamRequest),
  recordTeamExport: write(recordTeamExport, { isRepeatable: true }),
  findTeamFile: read(findTeamFile),

  prepareDesk: write(prepareDesk, { isRepeatable: true }),
  hideProposals: write(hideProposals, { isRepeatable: true }),
  addMarkingLink: write(addMarkingLink),
  listMarkingLinks: read(listMarkingLinks),
  closeMarkingLinks: write(closeMarkingLinks),
  handOverMarking: write(handOverMarking),
  findMarkerFigures: read(findMarkerFigures),
  findMarkingLink: read(findMarkingLink),
  markMarkingLinkOpened: write(markMarkingLinkOpened, { isRepeatable: true }),
  findLinkKind: read(findLinkKind),
  prepareDeskOf: write(prepareDeskOf, { isRepeatable: true }),
  findDesk: read(findDesk),
  findAnswer: read(findAnswer),
  findDeskHead: read(findDeskHead),
  decideAnswer: write(decideAnswer, post),
  agreeWithRest: write(agreeWithRest, post),
  saveMarkDraft: write(saveMarkDraft, post),
  openAnswer: write(openAnswer, { isUnsynced: true, isRepeatable: true }),
  takeNextAnswer: write(takeNextAnswer, { isUnsynced: true, isRepeatable: true }),
  askLead: write(askLead, post),
  listLeadQuestions: read(listLeadQuestions),
  replyToQuestion: write(replyToQuestion, { isRepeatable: true }),
  placeStamp: write(placeStamp, post),
  removeStamp: write(removeStamp, post),
  turnPage: write(turnPage, post),
  setPaper: write(setPaper, { isRepeatable: true }),
  changeLearners: write(changeLearners),
  takeClassList: write(takeClassList),
  listClass: read(listClass),
  listWorkFiles: read(listWorkFiles),
  setWorkFile: write(setWorkFile),
  findScans: read(findScans),
  storeScan: write(storeScan),
  openScanUpload: write(openScanUpload, { isRepeatable: true }),
  addScanPart: write(addScanPart, { isUnsynced: true, isRepeatable: true }),
  findScanTarget: read(findScanTarget),
  findScanUpload: read(findScanUpload),
  queueScanUpload: write(queueScanUpload, { isRepeatable: true }),
  discardScanUpload: write(discardScanUpload, { isRepeatable: true }),
  nextScanUpload: read(nextScanUpload),
  readScanPart: read(readScanPart),
  endScanUpload: write(endScanUpload, { isRepeatable: true }),
  listScanUploads: read(listScanUploads),
  deleteStaleScanUploads: write(deleteStaleScanUploads),
  findProblemPages: read(findProblemPages),
  changeProblemPages: write(changeProblemPages, { isRepeatable: true }),
  queueClassJob: write(queueClassJob, { isRepeatable: true }),
  hasFreeClassJob: read(hasFreeClassJob),
  takeClassJob: write(takeClassJob),
  renewClassJob: write(renewClassJob, { isRepeatable: true }),
  releaseClassJob: write(releaseClassJob, { isRepeatable: true }),
  storeJobRendering: write(storeJobRendering, { isRepeatable: true }),
  endClassJob: write(endClassJob),
  findClassJob: read(findClassJob),
  findScriptsReady: read(findScriptsReady),
  listUnrenderedFiles: read(listUnrenderedFiles),
  listRenderings: read(listRenderings),
  storeRendering: write(storeRendering, { isRepeatable: true }),
  deleteUnusedRenderings: write(deleteUnusedRenderings, { isRepeatable: true }),
  findPaperFiles: read(findPaperFiles),
  findPage: read(findPage),
  readPageImage: read(readPageImage),
  openOriginal: write(openOriginal),
  listScripts: read(listScripts),
  findScripts: read(findScripts),
  findScriptPage: read(findScriptPage),
  hasScripts: read(hasScripts),

  takeDueEmail: write(takeDueEmail),
  renewLease: write(renewLease, { isRepeatable: true }),
  nextDueTime: read(nextDueTime),
  oldestPendingEmail: read(oldestPendingEmail, { timeoutMs: probeTimeoutMs }),
  countEmails: read(countEmails),
  markSent: write(markSent),
  markFailed: write(markFailed),
  sumUpDueEmails: write(sumUpDueEmails),
  listSummedUp: read(listSummedUp),
  failExpiredLinks: write(failExpiredLinks),
  listEmails: read(listEmails),
  retryEmails: write(retryEmails),
  discardEmails: write(discardEmails),
  findUnreportedSpam: read(findUnreportedSpam),
  reportSpam: write(reportSpam),

  listSubscriptions: read(listSubscriptions),
  findSubscription: read(findSubscription),
  findSubscriptionByToken: read(findSubscriptionByToken),
  confirmSubscription: write(confirmSubscription),
  unsubscribe: write(unsubscribe),
  deleteUnconfirmed: write(deleteUnconfirmed),
  announce: write(announce),
  acknowledge: write(acknowledge, { sharesCommit: true }),
  askToConfirm: write(askToConfirm, { sharesCommit: true }),

  findPastTimes: read(findPastTimes),
  recordCleanup: write(recordCleanup),
  countRequests: read(countRequests),
  deleteRequestsBefore: write(deleteRequestsBefore),
  findSubject: read(findSubject),
  readRows: read(readRows),
  findMentions: read(findMentions),
  openAudit: write(openAudit),
  eraseRequest: write(eraseRequest),
  eraseSubscription: write(eraseSubscription),
  eraseMarker: write(eraseMarker),
  findLearner: read(findLearner),
  eraseLearner: write(eraseLearner),
  listLearnerErasures: read(listLearnerErasures),

  takeLease: write(takeLease, { isRepeatable: true }),

  /** Throws if a write cannot be committed within two seconds. */
  tryWriting: write((tx: Tx) => tx.tryWriting(), { isRepeatable: true, timeoutMs: probeTimeoutMs }),
};

export const operationNames = Object.keys(operations) as OperationName[];

export type AnyOperation = Operation<unknown[], unknown>;

export const operationOf = ({ name }: { name: OperationName }) =>
  operations[name] as unknown as AnyOperation;
