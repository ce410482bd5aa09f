/** All that the server may ask of its database while it runs. */
import { submitContactRequest } from "./operations/contact-request.ts";
import { submitDemoUpload } from "./operations/demo-upload.ts";
import { findRepeat } from "./operations/duplicates.ts";
import {
  countLetters,
  countWaitingLetters,
  markFailed,
  markSent,
  nextDueLetter,
  nextDueTime,
  oldestWaitingLetter,
} from "./operations/outbox.ts";
import { findResults } from "./operations/publication.ts";
import { findUnreportedSpam, reportSpam } from "./operations/quarantine.ts";
import { findReceipt } from "./operations/receipts.ts";
import { giveUpDeadLinks } from "./operations/result-links.ts";
import { forgetRequestsBefore } from "./operations/retention.ts";
import { submitRubricRequest } from "./operations/rubric-request.ts";
import { subscribe } from "./operations/subscriptions.ts";
import { holdStagedFiles, openStaging, sweepStaging } from "./operations/upload-drafts.ts";
import { discardStagedFiles, stageFile, sweepStagedFiles } from "./operations/uploaded-files.ts";
import { tryWriting } from "./sqlite/open.ts";

export const operations = {
  countLetters,
  countWaitingLetters,
  discardStagedFiles,
  findReceipt,
  findRepeat,
  findResults,
  findUnreportedSpam,
  forgetRequestsBefore,
  giveUpDeadLinks,
  holdStagedFiles,
  markFailed,
  markSent,
  nextDueLetter,
  nextDueTime,
  oldestWaitingLetter,
  openStaging,
  stageFile,
  submitContactRequest,
  submitDemoUpload,
  reportSpam,
  submitRubricRequest,
  subscribe,
  sweepStagedFiles,
  sweepStaging,
  tryWriting,
};
