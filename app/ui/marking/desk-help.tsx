import { markingPath, sampleDeskUrl } from "../../site.ts";
import { PageHead } from "../page-head.tsx";
import { SectionText } from "../section-text.tsx";
import "../../styles/parts/reading.css";

/** The guide to the desk for markers, leads and educators. */
export function DeskHelp({ html }: { html: string }) {
  const title = "How marking works";
  return (
    <div className="page legal">
      <PageHead
        title={title}
        description="The marking desk, for markers, leads and educators."
        path={markingPath}
        noindex
      />
      <header>
        <h1>{title}</h1>
        <p>
          <a className="standalone-link" href={sampleDeskUrl}>
            Try it on the sample desk
          </a>
        </p>
      </header>
      <SectionText className="prose" html={html} />
    </div>
  );
}
