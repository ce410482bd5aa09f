import { useContext, useEffect } from "react";
import { Still } from "../still.tsx";
import { DeadLink } from "./dead-link.tsx";
import { ResultsView } from "./results-view.tsx";
import { ShownResults } from "./shown-results.ts";

export const loadIsland = () => import("./results-island.tsx");

/** The results that the address asks for, as the server wrote them; script adds the dialogs. */
export function ResultsPlace() {
  useEffect(() => {
    const list = document.getElementById("results")!;
    const token = new URLSearchParams(window.location.search).get("results")!;
    if (list.querySelector(".results")) {
      // Without it the details open in the list.
      loadIsland().then(
        ({ addDialogs }) => addDialogs(list, token),
        () => {},
      );
    }
  }, []);
  return <Still id="results">{import.meta.env.SSR && <Shown />}</Still>;
}

function Shown() {
  const results = useContext(ShownResults);
  return results ? <ResultsView results={results} /> : <DeadLink />;
}
