import { useEffect, useRef } from "react";
import { sampleToken } from "../../domain/result.ts";
import { Fetching, NotFetched } from "./fetching.tsx";
import { ResultsView } from "./results-view.tsx";
import { useResults } from "./use-results.ts";

/** The sample, fetched and opened where the visitor is, with nothing of a half-filled form lost. */
export function SampleArea({ onShown, onClose }: { onShown: () => void; onClose: () => void }) {
  const area = useRef<HTMLDivElement>(null);
  const { data: results, isError, refetch } = useResults(sampleToken);
  useEffect(() => {
    if (!results) return;
    area.current!.querySelector("h3")!.focus();
    onShown();
  }, [results, onShown]);
  if (isError) return <NotFetched again={() => void refetch()} />;
  if (!results) return <Fetching />;
  return (
    <div ref={area}>
      <ResultsView results={results} />
      <button type="button" className="button quiet small no-print" onClick={onClose}>
        Close the sample
      </button>
    </div>
  );
}
