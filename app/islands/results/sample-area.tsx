import { useCallback, useEffect, useState } from "react";
import { sampleToken } from "../../domain/result.ts";
import { type FetchedPart, fetchPart, opensElsewhere } from "./fetch-part.ts";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { openLearnersInDialog } from "./learner-dialog.ts";

/** The view of the sample that was fetched last, for when the area is opened again. */
let sample: FetchedPart | undefined;

/** Shows the HTML of the sample's own page. A link there to another view of the sample loads that view in place. */
export function SampleArea({ onClose }: { onClose: () => void }) {
  const [part, setPart] = useState(sample);
  const [isError, setIsError] = useState(false);
  const load = useCallback(async (url: string) => {
    setIsError(false);
    const fetched = await fetchPart(url).catch(() => undefined);
    sample = fetched?.results ? fetched : undefined;
    setPart(sample);
    setIsError(!sample);
  }, []);
  useEffect(() => {
    if (!sample) void load(samplePage);
  }, [load]);
  const insert = useCallback(
    (area: HTMLDivElement | null) => {
      if (!area || !part) return;
      const results = document.importNode(part.results!, true);
      area.replaceChildren(results);
      openLearnersInDialog(results);
      results.addEventListener("click", (event) => {
        const href = (event.target as Element).closest("a")?.getAttribute("href") ?? "";
        if (event.defaultPrevented || opensElsewhere(event) || !href.startsWith(samplePage)) return;
        event.preventDefault();
        void load(href);
      });
      const heading = results.querySelector("h2")!;
      heading.tabIndex = -1;
      heading.focus();
    },
    [part, load],
  );
  if (isError) return <FetchFailed onRetry={() => void load(samplePage)} />;
  if (!part) return <Fetching />;
  return (
    <>
      <div ref={insert} />
      <button type="button" className="button quiet small no-print" onClick={onClose}>
        Close the sample
      </button>
    </>
  );
}

const samplePage = `/?results=${sampleToken}`;
