import { useRef } from "react";
import { loadIsland } from "./results-place.tsx";

/** Leads to the sample's page; with script it opens here. */
export function SampleLink() {
  const place = useRef<HTMLDivElement>(null);
  return (
    <>
      <p>
        {/* biome-ignore lint/a11y/useValidAnchor: without a script it leads to a page */}
        <a
          className="button quiet"
          href="/?results=sample#demo"
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            const link = event.currentTarget;
            link.ariaBusy = "true";
            loadIsland()
              .then(({ openSample }) => openSample(place.current!, link))
              .catch(() => window.location.assign(link.href))
              .finally(() => {
                link.ariaBusy = null;
              });
          }}
        >
          See a sample result
        </a>
      </p>
      <div ref={place} />
    </>
  );
}
