import { decideInPlace, hasTyped, type Place, sendUnsaved } from "./decide-in-place.ts";
import { openLearnersInDialog } from "./learner-dialog.ts";
import { readUnsaved, unsavedMarks } from "./unsaved-marks.ts";

/** How often marks that could not be sent are sent again, in milliseconds. */
const retryMs = 10_000;

/**
 * Adds to a page of results: marks are saved without leaving it, and learners of a class open in a dialog. Every
 * form and link works without this.
 */
export async function enhance(results: HTMLElement): Promise<void> {
  let place: Place | undefined;
  if (results.querySelector("#learners")) {
    openLearnersInDialog(results, (shown) => {
      place = shown;
    });
  }
  const token = new URLSearchParams(window.location.search).get("results");
  if (!token) return;
  await readUnsaved(token);
  if (results.querySelector(".decision")) {
    place = { results, prepare: () => {}, onDecided: () => {} };
    decideInPlace(place);
  }
  let isSending = false;
  const resend = async () => {
    if (isSending || unsavedMarks().length === 0) return;
    isSending = true;
    await sendUnsaved(place, token);
    isSending = false;
  };
  window.addEventListener("online", () => void resend());
  setInterval(() => void resend(), retryMs);
  void resend();
  window.addEventListener("beforeunload", (event) => {
    if (hasTyped() || unsavedMarks().length > 0) event.preventDefault();
  });
}
