import { useCallback, useEffect, useState } from "react";
import { sampleToken } from "../../domain/result.ts";
import { enhance } from "./enhance-results.ts";
import { fetchPart, type Part } from "./fetch-part.ts";
import { FetchFailed, Fetching } from "./fetching.tsx";

/** Fetched once for the page. */
let sample: Part | undefined;

/** The sample, loaded into the page as the HTML of its own page. */
export function SampleArea({ onClose }: { onClose: () => void }) {
  const [part, setPart] = useState(sample);
  const [isError, setIsError] = useState(false);
  const load = useCallback(async () => {
    setIsError(false);
    const fetched = await fetchPart(`/?results=${sampleToken}`).catch(() => undefined);
    sample = fetched?.results ? fetched : undefined;
    setPart(sample);
    setIsError(!sample);
  }, []);
  useEffect(() => {
    if (!sample) void load();
  }, [load]);
  const insert = useCallback(
    (area: HTMLDivElement | null) => {
      if (!area || !part) return;
      const results = document.importNode(part.results!, true);
      area.replaceChildren(results, document.importNode(part.sign!, true));
      void enhance(results);
      results.querySelector("h2")!.focus();
    },
    [part],
  );
  if (isError) return <FetchFailed onRetry={() => void load()} />;
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
