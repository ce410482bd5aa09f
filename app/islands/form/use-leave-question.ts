import { useEffect, useRef } from "react";

/**
 * Makes the browser ask before the page is left, while something would be lost. Returns a function to be called
 * before the form itself leaves the page.
 */
export function useLeaveQuestion(wouldLose: boolean): () => void {
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!wouldLose) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [wouldLose]);
  return () => {
    isLeaving.current = true;
  };
}
