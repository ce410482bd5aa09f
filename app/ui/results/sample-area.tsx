import { useEffect, useRef } from "react";
import { sampleToken } from "../../domain/result.ts";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { ResultsView } from "./results-view.tsx";
import { useResults } from "./use-results.ts";

/** The sample, loaded into the page, so that a half-filled form is not lost. */
export function SampleArea({ onShown, onClose }: { onShown: () => void; onClose: () => void }) {
  const area = useRef<HTMLDivElement>(null);
  const { data: results, isError, refetch } = useResults(sampleToken);
  useEffect(() => {
    if (!results) return;
    area.current!.querySelector("h3")!.focus();
    onShown();
  }, [results, onShown]);
  if (isError) return <FetchFailed onRetry={() => void refetch()} />;
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
