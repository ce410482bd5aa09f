/** The table of all operations, and how an engine runs each. The interface of the store is inferred from it. */
import { type Operation, read, type Tx, write } from "../operation.ts";
import type { OperationName } from "../store.ts";
import * as answers from "./answers.ts";
import * as classJobs from "./class-jobs.ts";
import * as classLists from "./class-lists.ts";
import * as decisions from "./decisions.ts";
import * as desk from "./desk.ts";
import * as deskClass from "./desk-class.ts";
import * as deskLearners from "./desk-learners.ts";
import * as deskLinks from "./desk-links.ts";
import * as deskPaper from "./desk-paper.ts";
import * as duplicates from "./duplicates.ts";
import * as eraseLearner from "./erase-learner.ts";
import * as eraseMarker from "./erase-marker.ts";
import * as erasure from "./erasure.ts";
import * as handOver from "./hand-over.ts";
import * as importedResults from "./imported-results.ts";
import * as leadQuestions from "./lead-questions.ts";
import * as leases from "./leases.ts";
import * as markerFigures from "./marker-figures.ts";
import * as markingLinks from "./marking-links.ts";
import * as marksHistory from "./marks-history.ts";
import * as outboxCommands from "./outbox-commands.ts";
import * as outboxDelivery from "./outbox-delivery.ts";
import * as pageImages from "./page-images.ts";
import * as personalData from "./personal-data.ts";
import * as publishResults from "./publish-results.ts";
import * as quarantine from "./quarantine.ts";
import * as receipts from "./receipts.ts";
import * as reminders from "./reminders.ts";
import * as requestRecords from "./request-records.ts";
import * as resultLinks from "./result-links.ts";
import * as retention from "./retention.ts";
import * as scanUploads from "./scan-uploads.ts";
import * as scans from "./scans.ts";
import * as signatures from "./signatures.ts";
import * as stamps from "./stamps.ts";
import * as submitRequest from "./submit-request.ts";
import * as subscribers from "./subscribers.ts";
import * as team from "./team.ts";
import * as teamLinks from "./team-links.ts";
import * as typedAddresses from "./typed-addresses.ts";
import * as uploadDrafts from "./upload-drafts.ts";
import * as uploadedFiles from "./uploaded-files.ts";
import * as workFiles from "./work-files.ts";

/** A balancer has to learn soon whether a server is ready. */
const probeTimeoutMs = 2000;
/** An announcement takes three queries for each of thousands of subscribers. Only a command waits for it. */
const announcementTimeoutMs = 120_000;
/** Options of what visitors and markers post, many at once. Storing a post twice does no harm. */
const post = { sharesCommit: true, isRepeatable: true } as const;

export const operations = {
  submitRequest: write(submitRequest.submitRequest, post),
  subscribe: write(subscribers.subscribe, post),
  // Both confirm to a visitor that a request is stored, so they lock the request's row, which only a write may do.
  findDuplicate: write(duplicates.findDuplicate, { isRepeatable: true }),
  findStored: write(duplicates.findStored, { isRepeatable: true }),

  // A file needs no sync of its own: the commit that stores its request syncs everything before it in the WAL.
  stageFile: write(uploadedFiles.stageFile, { isUnsynced: true, isRepeatable: true }),
  setFileField: write(uploadedFiles.setFileField, { isRepeatable: true }),
  discardStagedFiles: write(uploadedFiles.discardStagedFiles, { isRepeatable: true }),
  deleteStaleStagedFiles: write(uploadedFiles.deleteStaleStagedFiles),
  findDraft: read(uploadDrafts.findDraft),
  openDraft: write(uploadDrafts.openDraft, { isUnsynced: true, isRepeatable: true }),
  saveDraft: write(uploadDrafts.saveDraft, { isRepeatable: true }),
  deleteExpiredDrafts: write(uploadDrafts.deleteExpiredDrafts),

  findReceived: read(receipts.findReceived),
  findReceipt: read(receipts.findReceipt),
  listRequests: read(requestRecords.listRequests),
  listReferences: read(requestRecords.listReferences),
  findRequests: read(requestRecords.findRequests),
  findRequest: read(requestRecords.findRequest),
  listFiles: read(uploadedFiles.listFiles),
  readFile: read((tx: Tx, fileId: number) => tx.selectBytes(fileId)),
  listRequestsWithFiles: read(requestRecords.listRequestsWithFiles),
  listFileChanges: read(requestRecords.listFileChanges),
  findDeleted: read(erasure.findDeleted),
  releaseFromQuarantine: write(quarantine.releaseFromQuarantine),

  findMarkingTarget: read(importedResults.findMarkingTarget),
  findImportedResults: read(importedResults.findStoredResults),
  findImportTarget: read(importedResults.findImportTarget),
  importResults: write(importedResults.importResults),
  listRequestsWithQuestions: read(importedResults.listRequestsWithQuestions),
  decideMark: write(decisions.decideMark),
  signResults: write(signatures.signResults, { isRepeatable: true }),
  reopenResults: write(signatures.reopenResults),
  listMarksEvents: read(marksHistory.listMarksEvents),
  publishResults: write(publishResults.publishResults),
  revokeResults: write(publishResults.revokeResults),
  shareResults: write(publishResults.shareResults),
  revokeReadingCopies: write(publishResults.revokeReadingCopies),
  findOpenWork: read(publishResults.findOpenWork),
  findResults: read(publishResults.findResults),
  findResultsStatus: read(publishResults.findResultsStatus),
  markLinkOpened: write(resultLinks.markLinkOpened, { isRepeatable: true }),
  listEndingLinks: read(reminders.listEndingLinks),
  remindOfLink: write(reminders.remindOfLink),

  replaceTeamLink: write(teamLinks.replaceTeamLink, { isRepeatable: true }),
  closeTeamLink: write(teamLinks.closeTeamLink),
  findTeamRequest: read(team.findTeamRequest),
  recordTeamExport: write(team.recordTeamExport, { isRepeatable: true }),
  findTeamFile: read(team.findTeamFile),

  prepareDesk: write(deskClass.prepareDesk, { isRepeatable: true }),
  addMarkingLink: write(markingLinks.addMarkingLink),
  listMarkingLinks: read(markingLinks.listMarkingLinks),
  closeMarkingLinks: write(markingLinks.closeMarkingLinks),
  handOverMarking: write(handOver.handOverMarking),
  findMarkerFigures: read(markerFigures.findMarkerFigures),
  findLinkKind: read(deskLinks.findLinkKind),
  prepareDeskOf: write(desk.prepareDeskOf, { isRepeatable: true }),
  findDesk: read(desk.findDesk),
  findAnswer: read(answers.findAnswer),
  findDeskHead: read(answers.findDeskHead),
  decideAnswer: write(answers.decideAnswer, post),
  agreeWithRest: write(answers.agreeWithRest, post),
  saveMarkDraft: write(answers.saveMarkDraft, post),
  openAnswer: write(answers.openAnswer, { isUnsynced: true, isRepeatable: true }),
  takeNextAnswer: write(answers.takeNextAnswer, { isUnsynced: true, isRepeatable: true }),
  askLead: write(leadQuestions.askLead, post),
  listLeadQuestions: read(leadQuestions.listLeadQuestions),
  replyToQuestion: write(leadQuestions.replyToQuestion, { isRepeatable: true }),
  placeStamp: write(stamps.placeStamp, post),
  removeStamp: write(stamps.removeStamp, post),
  turnPage: write(stamps.turnPage, post),
  setPaper: write(deskPaper.setPaper, { isRepeatable: true }),
  changeLearners: write(deskLearners.changeLearners),
  takeClassList: write(classLists.takeClassList),
  listClass: read(scans.listClass),
  listWorkFiles: read(workFiles.listWorkFiles),
  setWorkFile: write(workFiles.setWorkFile),
  findScans: read(scans.findScans),
  storeScan: write(scans.storeScan),
  openScanUpload: write(scanUploads.openScanUpload, { isRepeatable: true }),
  addScanPart: write(scanUploads.addScanPart, { isUnsynced: true, isRepeatable: true }),
  findScanTarget: read(scanUploads.findScanTarget),
  findScanUpload: read(scanUploads.findScanUpload),
  queueScanUpload: write(scanUploads.queueScanUpload, { isRepeatable: true }),
  discardScanUpload: write(scanUploads.discardScanUpload, { isRepeatable: true }),
  nextScanUpload: read(scanUploads.nextScanUpload),
  readScanPart: read(scanUploads.readScanPart),
  endScanUpload: write(scanUploads.endScanUpload, { isRepeatable: true }),
  listScanUploads: read(scanUploads.listScanUploads),
  deleteStaleScanUploads: write(scanUploads.deleteStaleScanUploads),
  findProblemPages: read(scans.findProblemPages),
  changeProblemPages: write(scans.changeProblemPages, { isRepeatable: true }),
  queueClassJob: write(classJobs.queueClassJob, { isRepeatable: true }),
  hasFreeClassJob: read(classJobs.hasFreeClassJob),
  takeClassJob: write(classJobs.takeClassJob),
  renewClassJob: write(classJobs.renewClassJob, { isRepeatable: true }),
  releaseClassJob: write(classJobs.releaseClassJob, { isRepeatable: true }),
  storeJobRendering: write(classJobs.storeJobRendering, { isRepeatable: true }),
  endClassJob: write(classJobs.endClassJob),
  findClassJob: read(classJobs.findClassJob),
  findScriptsReady: read(classJobs.findScriptsReady),
  listUnrenderedFiles: read(pageImages.listUnrenderedFiles),
  listRenderings: read(pageImages.listRenderings),
  storeRendering: write(pageImages.storeRendering, { isRepeatable: true }),
  deleteUnusedRenderings: write(pageImages.deleteUnusedRenderings, { isRepeatable: true }),
  findPaperFiles: read(pageImages.findPaperFiles),
  findPage: read(pageImages.findPage),
  readPageImage: read(pageImages.readPageImage),
  openOriginal: write(pageImages.openOriginal),
  listScripts: read(pageImages.listScripts),
  findScripts: read(pageImages.findScripts),
  findScriptPage: read(pageImages.findScriptPage),
  hasScripts: read(pageImages.hasScripts),

  takeDueEmail: write(outboxDelivery.takeDueEmail),
  renewLease: write(outboxDelivery.renewLease, { isRepeatable: true }),
  nextDueTime: read(outboxDelivery.nextDueTime),
  oldestPendingEmail: read(outboxDelivery.oldestPendingEmail, { timeoutMs: probeTimeoutMs }),
  countEmails: read(outboxDelivery.countEmails),
  markSent: write(outboxDelivery.markSent),
  markFailed: write(outboxDelivery.markFailed),
  sumUpDueEmails: write(outboxDelivery.sumUpDueEmails),
  listSummedUp: read(outboxDelivery.listSummedUp),
  failExpiredLinks: write(resultLinks.failExpiredLinks),
  listEmails: read(outboxCommands.listEmails),
  retryEmails: write(outboxCommands.retryEmails),
  discardEmails: write(outboxCommands.discardEmails),
  findUnreportedSpam: read(quarantine.findUnreportedSpam),
  reportSpam: write(quarantine.reportSpam),

  listSubscriptions: read(subscribers.listSubscriptions),
  findSubscription: read(subscribers.findSubscription),
  findSubscriptionByToken: read(subscribers.findSubscriptionByToken),
  confirmSubscription: write(subscribers.confirmSubscription),
  unsubscribe: write(subscribers.unsubscribe),
  deleteUnconfirmed: write(subscribers.deleteUnconfirmed),
  announce: write(subscribers.announce, { timeoutMs: announcementTimeoutMs }),
  acknowledge: write(typedAddresses.acknowledge, { sharesCommit: true }),
  askToConfirm: write(typedAddresses.askToConfirm, { sharesCommit: true }),

  findPastTimes: read(retention.findPastTimes),
  recordCleanup: write(retention.recordCleanup),
  makePutOffEmailsDue: write(retention.makePutOffEmailsDue),
  countRequests: read(retention.countRequests),
  deleteRequestsBefore: write(retention.deleteRequestsBefore),
  findSubject: read(personalData.findSubject),
  readRows: read(personalData.readRows),
  findMentions: read(personalData.findMentions),
  openAudit: write(erasure.openAudit),
  eraseRequest: write(erasure.eraseRequest),
  eraseSubscription: write(erasure.eraseSubscription),
  eraseMarker: write(eraseMarker.eraseMarker),
  findLearner: read(eraseLearner.findLearner),
  eraseLearner: write(eraseLearner.eraseLearner),

  takeLease: write(leases.takeLease, { isRepeatable: true }),

  /** Throws if the database takes no writes for two seconds. */
  tryWriting: write((tx: Tx) => tx.tryWriting(), { isRepeatable: true, timeoutMs: probeTimeoutMs }),
};

export const operationNames = Object.keys(operations) as OperationName[];

export type AnyOperation = Operation<unknown[], unknown>;

/** The cast drops the type of the operation: a `Call` pairs a name with the arguments that its operation takes. */
export const operationOf = ({ name }: { name: OperationName }) =>
  operations[name] as unknown as AnyOperation;
