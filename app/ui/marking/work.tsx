import { counted } from "../../domain/counted.ts";
import type { DeskLearner, ShownFile } from "../../domain/desk.ts";
import type { PageImage } from "../../domain/page-image.ts";
import { type DeskLinks, learnerLabel } from "./desk-urls.ts";

interface WorkProps {
  learner: DeskLearner;
  work: ShownFile[];
  links: DeskLinks;
}

/** A learner's work: pictures of its pages, its text, or links to the files as they were sent. */
export function Work({ learner, work, links }: WorkProps) {
  const label = learnerLabel(learner);
  const counts = work.map(({ rendered }) =>
    rendered?.kind === "pages" ? rendered.pages.length : 0,
  );
  const total = counts.reduce((sum, one) => sum + one, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="work" aria-label={`Work of ${label}`} tabIndex={0}>
      {work.length === 0 && <p>{label} has sent no work.</p>}
      {work.map((file, index) => (
        <WorkFile
          key={`${file.fileId} ${file.firstPage}`}
          file={file}
          links={links}
          titleOf={(page) => {
            const before = counts.slice(0, index).reduce((sum, one) => sum + one, 0);
            return `Page ${before + page} of ${total} of ${label.replace(/^L/, "l")}`;
          }}
        />
      ))}
    </section>
  );
}

interface FileProps {
  file: ShownFile;
  links: DeskLinks;
  /** @param page position among the file's shown pages, from 1 */
  titleOf: (page: number) => string;
}

function WorkFile({ file, links, titleOf }: FileProps) {
  const { fileId, name, rendered } = file;
  const isWhole = file.firstPage === 1 && file.lastPage === null;
  const original = isWhole && (
    <a href={links.original(fileId)}>{`Open the original${name === null ? "" : `, ${name}`}`}</a>
  );
  if (rendered?.kind === "pages") {
    return (
      <>
        {rendered.pages.map((page, index) => (
          <Page
            key={page.page}
            page={page}
            title={titleOf(index + 1)}
            src={links.picture(fileId, page.page)}
          />
        ))}
        <p className="hint no-print">{original}</p>
      </>
    );
  }
  if (rendered?.kind === "paragraphs") {
    return (
      <div className="sheet">
        <p className="hint">
          This is the text of the file, paragraph by paragraph. Layout and drawings may differ.{" "}
          {original}
        </p>
        <ol>
          {rendered.paragraphs.map((paragraph, index) => (
            <li key={index}>{paragraph}</li>
          ))}
        </ol>
      </div>
    );
  }
  return (
    <div className="sheet">
      <p>
        {rendered
          ? `${name === null ? "This file" : `${name}:`} ${rendered.reason}`
          : "The pictures of this file are not there yet."}
      </p>
      <p>{original}</p>
    </div>
  );
}

function Page({ page, title, src }: { page: PageImage; title: string; src: string }) {
  const { width, height, text, warning } = page;
  return (
    <figure>
      <img src={src} width={width} height={height} alt={title} loading="lazy" />
      <figcaption className="hint">
        {title}.{" "}
        <a className="no-print" href={src}>
          Zoom<span className="visually-hidden"> into {title.replace(/^P/, "p")}</span>
        </a>
        {warning && <b> {warning}</b>}
      </figcaption>
      {text && (
        <details className="no-print">
          <summary>Text of this page ({counted(text.split(/\s+/).length, "word")})</summary>
          <p className="page-text">{text}</p>
        </details>
      )}
    </figure>
  );
}
