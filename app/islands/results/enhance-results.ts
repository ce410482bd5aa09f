import { openLearnersInDialog } from "./learner-dialog.ts";
import { showTypedBefore } from "./typed-before.ts";

/** Adds to a page of results: learners of a class open in a dialog. Every link works without this. */
export async function enhance(results: HTMLElement): Promise<void> {
  openLearnersInDialog(results);
  await showTypedBefore(results);
}
