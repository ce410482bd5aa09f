import { useEffect, useRef } from "react";
import { sampleToken } from "../../domain/result.ts";
import LearnerDialogs from "../learner-dialogs.tsx";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { ResultsView } from "./results-view.tsx";
import { useResults } from "./use-results.ts";

export interface SampleAreaProps {
  onClose: () => void;
}

/** The sample, loaded into the page. */
export function SampleArea({ onClose }: SampleAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const { data: results, isError, refetch } = useResults(sampleToken);
  useEffect(() => {
    if (results) area.current!.querySelector("h3")!.focus();
  }, [results]);
  if (isError) return <FetchFailed onRetry={() => void refetch()} />;
  if (!results) return <Fetching />;
  return (
    <div ref={area}>
      <ResultsView results={results} />
      <LearnerDialogs token={sampleToken} />
      <button type="button" className="button quiet small no-print" onClick={onClose}>
        Close the sample
      </button>
    </div>
  );
}
