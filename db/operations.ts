/** All that the server may ask of its database while it runs. */
import { submitContactRequest } from "./contact-request.ts";
import { submitDemoUpload } from "./demo-upload.ts";
import { tryWriting } from "./open.ts";
import {
  countLetters,
  countWaitingLetters,
  markFailed,
  markSent,
  nextDueLetter,
  nextDueTime,
  oldestWaitingLetter,
} from "./outbox.ts";
import { findResults } from "./publication.ts";
import { findReceipt } from "./receipt.ts";
import { findRepeat } from "./repeat.ts";
import { giveUpDeadLinks } from "./result-link.ts";
import { forgetRequestsBefore } from "./retention.ts";
import { submitRubricRequest } from "./rubric-request.ts";
import { findUnreportedSpam, reportSpam } from "./spam.ts";
import { holdStagedFiles, openStaging, sweepStaging } from "./staging.ts";
import { subscribe } from "./subscription.ts";
import { discardStagedFiles, stageFile, sweepStagedFiles } from "./uploaded-file.ts";

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
