import { useEffect, useRef, useState } from "react";
import type { LevelScale } from "../results/grade.ts";
import { LearnerDialog } from "./results/learner-dialog.tsx";
import { prefetchResults } from "./results/use-results.ts";

/**
 * Opens the links to a learner in the page's results as a dialog. The results are HTML: a class may
 * be large.
 * @param token that of the results; default: the URL's
 */
export default function LearnerDialogs({ levels, token }: { levels: LevelScale; token?: string }) {
  const rows = useRef<HTMLElement[]>([]);
  const [order, setOrder] = useState<number[]>([]);
  const [index, setIndex] = useState<number>();
  const opened = useRef<number>(undefined);
  useEffect(() => {
    // A class that is open can be read where there is no network.
    prefetchResults(token ?? tokenInUrl());
    const results = document.querySelector<HTMLElement>(".results")!;
    rows.current = [...results.querySelectorAll<HTMLElement>("th a")].filter(
      (link) => learnerOf(link) !== undefined,
    );
    const shown = rows.current.map((link) => learnerOf(link)!);
    const open = (event: MouseEvent) => {
      const learner = learnerOf((event.target as Element).closest("a"));
      if (learner === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      opened.current = shown.indexOf(learner);
      setIndex(opened.current);
    };
    setOrder(shown);
    results.classList.add("scripted");
    results.addEventListener("click", open);
    return () => results.removeEventListener("click", open);
  }, [token]);
  if (index === undefined) return null;
  const close = () => {
    // Without a step, the browser returns the focus to what opened the dialog.
    if (index !== opened.current) rows.current[index]!.focus();
    setIndex(undefined);
  };
  return (
    <LearnerDialog
      token={token ?? tokenInUrl()}
      levels={levels}
      order={order}
      index={index}
      onMove={setIndex}
      onClose={close}
    />
  );
}

/** What the page's URL opens; the island's props in the page do not repeat it. */
const tokenInUrl = () => new URLSearchParams(window.location.search).get("results")!;

/** The position in the class that a link to a learner names, or undefined for any other element. */
function learnerOf(element: Element | null): number | undefined {
  const href = element?.getAttribute("href") ?? "";
  const number = new URLSearchParams(href.replace(/^.*\?/, "")).get("learner");
  return number === null ? undefined : Number(number) - 1;
}
