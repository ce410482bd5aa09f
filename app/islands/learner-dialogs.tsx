import { useEffect, useState } from "react";
import { LearnerDialog } from "./results/learner-dialog.tsx";

/** No page contains the token that its URL opens. */
const tokenInUrl = () => new URLSearchParams(window.location.search).get("results")!;

/**
 * Makes each learner in the page's results open in a dialog, instead of details in the list. The list is HTML:
 * it may be long.
 * @param token that of the results; default: the URL's
 */
export default function LearnerDialogs({ token }: { token?: string }) {
  const [index, setIndex] = useState<number>();
  useEffect(() => {
    const list = document.querySelector(".results")!;
    const buttons = [...list.querySelectorAll<HTMLElement>("[data-learner]")];
    list.classList.add("scripted");
    for (const [position, button] of buttons.entries()) {
      button.hidden = false;
      button.onclick = () => setIndex(position);
    }
  }, []);
  if (index === undefined) return null;
  return (
    <LearnerDialog
      token={token ?? tokenInUrl()}
      index={index}
      onMove={setIndex}
      onClose={() => setIndex(undefined)}
    />
  );
}
