import { type Desk, decideInPlace, hasTyped, type Place, sendUnsaved } from "./decide-in-place.ts";
import { fetchPart } from "./fetch-part.ts";
import { openLearnersInDialog } from "./learner-dialog.ts";
import { readUnsaved, unsavedMarks } from "./unsaved-marks.ts";

/** How often marks that could not be sent are sent again, in milliseconds. */
const retryMs = 10_000;

/**
 * Adds to a page of results: marks are saved without leaving it, and learners of a class open in a dialog. Every
 * form and link of a private link works without this.
 */
export async function enhance(results: HTMLElement): Promise<void> {
  if (results.classList.contains("sample")) {
    const { enhanceSample } = await import("./sample-desk.tsx");
    return enhanceSample(results);
  }
  let place: Place | undefined;
  if (results.querySelector("#learners")) {
    openLearnersInDialog(results, serverDesk, (shown) => {
      place = shown;
    });
  }
  const token = new URLSearchParams(window.location.search).get("results")!;
  await readUnsaved(token);
  if (results.querySelector(".decision")) {
    place = { results, desk: serverDesk, prepare: () => {}, onDecided: () => {} };
    decideInPlace(place);
  }
  let isSending = false;
  const resend = async () => {
    if (isSending || unsavedMarks().length === 0) return;
    isSending = true;
    await sendUnsaved(place, results, token);
    isSending = false;
  };
  window.addEventListener("online", () => void resend());
  setInterval(() => void resend(), retryMs);
  void resend();
  window.addEventListener("beforeunload", (event) => {
    if (hasTyped() || unsavedMarks().length > 0) event.preventDefault();
  });
}

/** The desk of a private link. */
const serverDesk: Desk = {
  fetch: fetchPart,
  open: (url) => window.location.assign(url),
  moved: (url) => {
    window.history.pushState(null, "", url);
    const { search } = window.location;
    // Back leads to another learner; an anchor does not.
    window.onpopstate = () => window.location.search !== search && window.location.reload();
  },
  classUrl: () => window.location.href,
};
