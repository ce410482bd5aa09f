/** The table of all operations. */
import { type OperationTable, read, write } from "../operation.ts";
import { readClock } from "./clock.ts";
import { submitContactRequest } from "./contact-request.ts";
import { submitDemoUpload } from "./demo-upload.ts";
import { limitDrafts } from "./draft-eviction.ts";
import { findDuplicate, findStored } from "./duplicates.ts";
import { eraseRequest, eraseSubscription, findRequestsBefore, openAudit } from "./erasure.ts";
import { findImportedResults, findMarkingTarget, importResults } from "./imported-results.ts";
import {
  countEmails,
  listSummedUp,
  markFailed,
  markSent,
  nextDueEmail,
  nextDueTime,
  oldestPendingEmail,
  sumUpDueEmails,
} from "./outbox.ts";
import { discardEmails, listEmails, retryEmails } from "./outbox-commands.ts";
import { findResults, publishResults, revokeResults } from "./publication.ts";
import { findUnreportedSpam, releaseFromQuarantine, reportSpam } from "./quarantine.ts";
import { findReceipt } from "./receipts.ts";
import { findRequest, findRequests, listReferences, listRequests } from "./requests.ts";
import { listRequestsWithFiles } from "./requests-with-files.ts";
import { failExpiredLinks } from "./result-links.ts";
import { countRequests, deleteRequestsBefore } from "./retention.ts";
import { submitRubricRequest } from "./rubric-request.ts";
import { findMentions, findSubject, readRows } from "./subjects.ts";
import {
  announce,
  confirmSubscription,
  deleteUnconfirmed,
  findSubscriptionByToken,
  unsubscribe,
} from "./subscription-links.ts";
import { findSubscription, listSubscriptions, subscribe } from "./subscriptions.ts";
import { deleteExpiredDrafts, findDraft, openUpload, saveDraft } from "./upload-drafts.ts";
import {
  deleteStaleStagedFiles,
  discardStagedFiles,
  listFiles,
  readFile,
  stageFile,
} from "./uploaded-files.ts";

import { acknowledge, askToConfirm } from "./visitor-emails.ts";

export const operations: OperationTable = {
  submitContactRequest: write(submitContactRequest, { sharesCommit: true }),
  submitDemoUpload: write(submitDemoUpload, { sharesCommit: true }),
  submitRubricRequest: write(submitRubricRequest, { sharesCommit: true }),
  subscribe: write(subscribe, { sharesCommit: true }),
  findDuplicate: read(findDuplicate),
  findStored: read(findStored),

  // The commit that stores its request is synced, and with it everything before it in the WAL.
  stageFile: write(stageFile, { isUnsynced: true }),
  discardStagedFiles: write(discardStagedFiles),
  deleteStaleStagedFiles: write(deleteStaleStagedFiles),
  findDraft: read(findDraft),
  openUpload: write(openUpload, { isUnsynced: true }),
  saveDraft: write(saveDraft),
  limitDrafts: write(limitDrafts),
  deleteExpiredDrafts: write(deleteExpiredDrafts),

  findReceipt: read(findReceipt),
  listRequests: read(listRequests),
  listReferences: read(listReferences),
  findRequests: read(findRequests),
  findRequest: read(findRequest),
  findRequestsBefore: read(findRequestsBefore),
  listFiles: read(listFiles),
  readFile: read(readFile),
  listRequestsWithFiles: read(listRequestsWithFiles),
  releaseFromQuarantine: write(releaseFromQuarantine),

  findMarkingTarget: read(findMarkingTarget),
  findImportedResults: read(findImportedResults),
  importResults: write(importResults),
  publishResults: write(publishResults),
  revokeResults: write(revokeResults),
  findResults: read(findResults),

  nextDueEmail: read(nextDueEmail),
  nextDueTime: read(nextDueTime),
  oldestPendingEmail: read(oldestPendingEmail),
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

  readClock: write(readClock),
  countRequests: read(countRequests),
  deleteRequestsBefore: write(deleteRequestsBefore),
  findSubject: read(findSubject),
  readRows: read(readRows),
  findMentions: read(findMentions),
  openAudit: write(openAudit),
  eraseRequest: write(eraseRequest),
  eraseSubscription: write(eraseSubscription),

  tryWriting: write(async () => {}),
};
