/** All that the server may ask of its database while it runs. */
import { submitContactRequest } from "./operations/contact-request.ts";
import { submitDemoUpload } from "./operations/demo-upload.ts";
import { findDuplicate } from "./operations/duplicates.ts";
import {
  countEmails,
  countPendingEmails,
  markFailed,
  markSent,
  nextDueEmail,
  nextDueTime,
  oldestPendingEmail,
} from "./operations/outbox.ts";
import { findResults } from "./operations/publication.ts";
import { findUnreportedSpam, reportSpam } from "./operations/quarantine.ts";
import { findReceipt } from "./operations/receipts.ts";
import { failExpiredLinks } from "./operations/result-links.ts";
import { deleteRequestsBefore } from "./operations/retention.ts";
import { submitRubricRequest } from "./operations/rubric-request.ts";
import { subscribe } from "./operations/subscriptions.ts";
import { deleteExpiredDrafts, findDraft, saveDraft } from "./operations/upload-drafts.ts";
import {
  deleteStaleStagedFiles,
  discardStagedFiles,
  stageFile,
} from "./operations/uploaded-files.ts";
import { tryWriting } from "./sqlite/open.ts";

export const operations = {
  countEmails,
  countPendingEmails,
  discardStagedFiles,
  findReceipt,
  findDuplicate,
  findResults,
  findUnreportedSpam,
  deleteRequestsBefore,
  failExpiredLinks,
  saveDraft,
  markFailed,
  markSent,
  nextDueEmail,
  nextDueTime,
  oldestPendingEmail,
  findDraft,
  stageFile,
  submitContactRequest,
  submitDemoUpload,
  reportSpam,
  submitRubricRequest,
  subscribe,
  deleteStaleStagedFiles,
  deleteExpiredDrafts,
  tryWriting,
};
