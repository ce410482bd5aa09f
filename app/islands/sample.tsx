import { type ComponentType, useRef, useState } from "react";
import type { LevelScale } from "../results/grade.ts";
import { FetchFailed } from "./results/fetching.tsx";
import type { SampleAreaProps } from "./results/sample-area.tsx";

/** A link to the sample's page. Script opens the sample in place, so that a half-filled form is not lost. */
export default function Sample({ levels }: { levels: LevelScale }) {
  const link = useRef<HTMLAnchorElement>(null);
  const sample = useRef<HTMLDivElement>(null);
  const [Area, setArea] = useState<ComponentType<SampleAreaProps>>();
  const [isMissing, setIsMissing] = useState(false);

  async function open() {
    if (Area) {
      sample.current!.querySelector("h2")?.focus();
      return;
    }
    try {
      const { SampleArea } = await import("./results/sample-area.tsx");
      setArea(() => SampleArea);
      setIsMissing(false);
    } catch {
      // Leaving for the sample's page would lose what is typed and chosen in the form.
      setIsMissing(true);
    }
  }

  return (
    <>
      <p>
        <a
          ref={link}
          className="button quiet"
          href="/?results=sample"
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            void open();
          }}
        >
          See a sample result
        </a>
      </p>
      <div id="sample" ref={sample}>
        {isMissing && (
          <>
            <FetchFailed onRetry={() => void open()} />
            <p>
              <a href="/?results=sample" target="_blank" rel="noreferrer">
                Open the sample in a new tab
              </a>
            </p>
          </>
        )}
        {Area && (
          <Area
            levels={levels}
            onClose={() => {
              setArea(undefined);
              link.current!.focus();
            }}
          />
        )}
      </div>
    </>
  );
}
