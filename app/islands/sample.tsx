import { type ComponentType, useRef, useState } from "react";
import { FetchFailed } from "./results/fetching.tsx";

const sampleUrl = "/?results=sample";

/** A link to the sample's page. Script opens the sample in place, so that a half-filled form is not lost. */
export default function Sample() {
  const link = useRef<HTMLAnchorElement>(null);
  const sample = useRef<HTMLDivElement>(null);
  const [Area, setArea] = useState<ComponentType<{ onClose: () => void }>>();
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
      setIsMissing(true);
    }
  }

  return (
    <>
      <p>
        <a
          ref={link}
          className="button quiet"
          href={sampleUrl}
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
        {isMissing && <SampleMissing onRetry={() => void open()} />}
        {Area && (
          <Area
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

/** Offers to try again or to open the sample in a new tab, because the form on the page may be half filled in. */
function SampleMissing({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      <FetchFailed onRetry={onRetry} />
      <p>
        <a href={sampleUrl} target="_blank" rel="noreferrer">
          Open the sample in a new tab
        </a>
      </p>
    </>
  );
}
