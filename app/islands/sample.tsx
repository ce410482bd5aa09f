import { type ComponentType, useRef, useState } from "react";
import type { LevelScale } from "../results/grade.ts";
import type { SampleAreaProps } from "./results/sample-area.tsx";

/** A link to the sample's page. Script opens the sample in place, so that a half-filled form is not lost. */
export default function Sample({ levels }: { levels: LevelScale }) {
  const link = useRef<HTMLAnchorElement>(null);
  const sample = useRef<HTMLDivElement>(null);
  const [Area, setArea] = useState<ComponentType<SampleAreaProps>>();

  async function open() {
    if (Area) {
      sample.current!.querySelector("h2")?.focus();
      return;
    }
    try {
      const { SampleArea } = await import("./results/sample-area.tsx");
      setArea(() => SampleArea);
    } catch {
      window.location.assign(link.current!.href);
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
