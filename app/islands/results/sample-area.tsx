import { useCallback, useEffect, useState } from "react";
import { sampleToken } from "../../domain/result.ts";
import stylesheet from "../../styles/results.css?url";
import { enhance } from "./enhance.ts";
import { fetchPart } from "./fetch-part.ts";
import { FetchFailed, Fetching } from "./fetching.tsx";

/** Fetched once for the page. */
let sample: HTMLElement | undefined;

/** The sample, loaded into the page as the HTML of its own page. */
export function SampleArea({ onClose }: { onClose: () => void }) {
  const [results, setResults] = useState(sample);
  const [isError, setIsError] = useState(false);
  const load = useCallback(async () => {
    setIsError(false);
    const part = await fetchPart(`/?results=${sampleToken}`).catch(() => undefined);
    sample = part?.results ?? undefined;
    setResults(sample);
    setIsError(!sample);
  }, []);
  useEffect(() => {
    if (!sample) void load();
  }, [load]);
  const insert = useCallback(
    (area: HTMLDivElement | null) => {
      if (!area || !results) return;
      const inserted = document.importNode(results, true);
      area.replaceChildren(inserted);
      void enhance(inserted);
      inserted.querySelector("h2")!.focus();
    },
    [results],
  );
  if (isError) return <FetchFailed onRetry={() => void load()} />;
  if (!results) return <Fetching />;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="results" />
      <div ref={insert} />
      <button type="button" className="button quiet small no-print" onClick={onClose}>
        Close the sample
      </button>
    </>
  );
}
