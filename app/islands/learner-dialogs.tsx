import { useEffect, useState } from "react";
import type { LevelScale } from "../results/grade.ts";
import { LearnerDialog } from "./results/learner-dialog.tsx";

/** What the page's URL opens; the island's props in the page do not repeat it. */
const tokenInUrl = () => new URLSearchParams(window.location.search).get("results")!;

/** The position in the class that a link to a learner names, or undefined for any other element. */
function learnerOf(element: Element | null): number | undefined {
  const href = element?.getAttribute("href") ?? "";
  const number = new URLSearchParams(href.replace(/^.*\?/, "")).get("learner");
  return number === null ? undefined : Number(number) - 1;
}

/**
 * Opens the links to a learner in the page's results as a dialog. The results are HTML: a class may
 * be large.
 * @param token that of the results; default: the URL's
 */
export default function LearnerDialogs({ levels, token }: { levels: LevelScale; token?: string }) {
  const [order, setOrder] = useState<number[]>([]);
  const [index, setIndex] = useState<number>();
  useEffect(() => {
    const results = document.querySelector<HTMLElement>(".results")!;
    const rows = [...results.querySelectorAll("th a")];
    const shown = rows.flatMap((link) => learnerOf(link) ?? []);
    const open = (event: MouseEvent) => {
      const learner = learnerOf((event.target as Element).closest("a"));
      if (learner === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      setIndex(shown.indexOf(learner));
    };
    setOrder(shown);
    results.classList.add("scripted");
    results.addEventListener("click", open);
    return () => results.removeEventListener("click", open);
  }, []);
  if (index === undefined) return null;
  return (
    <LearnerDialog
      token={token ?? tokenInUrl()}
      levels={levels}
      order={order}
      index={index}
      onMove={setIndex}
      onClose={() => setIndex(undefined)}
    />
  );
}
