/** All that the server may ask of its database while it runs. */
import { findReceipt, findRepeat, submitDemoUpload } from "./demo-upload.ts";
import { countWaitingLetters, markFailed, markSent, nextDueLetter, nextDueTime } from "./outbox.ts";
import { forgetRequestsBefore } from "./retention.ts";
import { holdStagedFiles, openStaging, sweepStaging } from "./staging.ts";
import { discardStagedFiles, stageFile, sweepStagedFiles } from "./uploaded-file.ts";

export const operations = {
  countWaitingLetters,
  discardStagedFiles,
  findReceipt,
  findRepeat,
  forgetRequestsBefore,
  holdStagedFiles,
  markFailed,
  markSent,
  nextDueLetter,
  nextDueTime,
  openStaging,
  stageFile,
  submitDemoUpload,
  sweepStagedFiles,
  sweepStaging,
};
