import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { sampleToken } from "../../domain/result.ts";
import type { LevelScale } from "../../results/grade.ts";
import stylesheet from "../../styles/results.css?url";
import LearnerDialogs from "../learner-dialogs.tsx";
import { FetchFailed, Fetching } from "./fetching.tsx";
import { queryClient } from "./query.ts";

export interface SampleAreaProps {
  levels: LevelScale;
  onClose: () => void;
}

/** The sample, loaded into the page as the HTML of its own page. */
export function SampleArea({ levels, onClose }: SampleAreaProps) {
  const { data, isError, refetch } = useQuery(
    { queryKey: ["sample"], queryFn: fetchSample },
    queryClient,
  );
  const insert = useCallback(
    (area: HTMLDivElement | null) => {
      if (!area || !data) return;
      area.replaceChildren(document.importNode(data, true));
      area.querySelector("h2")!.focus();
    },
    [data],
  );
  if (isError) return <FetchFailed onRetry={() => void refetch()} />;
  if (!data) return <Fetching />;
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="results" />
      <div ref={insert} />
      <LearnerDialogs token={sampleToken} levels={levels} />
      <button type="button" className="button quiet small no-print" onClick={onClose}>
        Close the sample
      </button>
    </>
  );
}

/** The document of an XMLHttpRequest is inert; parsing text would need a Trusted Types policy. */
function fetchSample(): Promise<Element> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/?results=${sampleToken}`);
    request.responseType = "document";
    request.onerror = reject;
    request.onload = () => {
      const results = request.responseXML?.querySelector(".results");
      if (request.status === 200 && results) resolve(results);
      else reject(new Error(`${request.status}`));
    };
    request.send();
  });
}
