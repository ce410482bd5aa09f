import { useContext, useEffect } from "react";
import { StaticHtml } from "../static-html.tsx";
import { ShownResults } from "./shown-results.ts";

const loadIsland = () => import("./results-island.tsx");

/**
 * The results that the URL asks for, or a link to the sample, as server-rendered HTML. Script adds dialogs
 * and opens the sample in place; without script details open in the list, and the sample is a page.
 */
export function ResultsArea({ children }: { children: React.ReactNode }) {
  useEffect(() => {
    const container = document.getElementById("results")!;
    if (container.querySelector(".results")) {
      const token = new URLSearchParams(window.location.search).get("results")!;
      loadIsland().then(
        ({ addDialogs }) => addDialogs(container, token),
        () => {},
      );
      return;
    }
    container.onclick = (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("#see-sample");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      loadIsland().then(
        ({ openSample }) => openSample(link),
        () => window.location.assign(link.href),
      );
    };
  }, []);
  return (
    <StaticHtml id="results">
      {import.meta.env.SSR && (
        <>
          {children}
          <Shown />
        </>
      )}
    </StaticHtml>
  );
}

function Shown() {
  const shown = useContext(ShownResults);
  if (shown) return shown;
  return (
    <>
      <p>
        <a id="see-sample" className="button quiet" href="/?results=sample#demo">
          See a sample result
        </a>
      </p>
      <div id="sample" />
    </>
  );
}
