import { openLearnersInDialog } from "./learner-dialog.ts";
import { showTypedBefore } from "./typed-before.ts";

/** Adds to a page of results: learners open in a dialog, and marks are shown that were typed, but not sent, in an earlier release. */
export async function enhance(results: HTMLElement): Promise<void> {
  openLearnersInDialog(results);
  await showTypedBefore(results);
}
