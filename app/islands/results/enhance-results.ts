import { openLearnersInDialog } from "./learner-dialog.ts";
import { showTypedBefore } from "./typed-before.ts";

/** Adds script to a page of results: learners open in a dialog, and unsent marks of an earlier release are shown. */
export async function enhance(results: HTMLElement): Promise<void> {
  openLearnersInDialog(results);
  await showTypedBefore(results);
}
