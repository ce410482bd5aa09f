import { counted } from "../../domain/counted.ts";
import type { ShownFile } from "../../domain/desk.ts";
import type { ShownPage } from "../../domain/page-image.ts";
import type { PageTurn, Stamp, StampPlace } from "../../domain/stamp.ts";
import { turnedSize } from "../../domain/stamp-drawing.ts";
import {
  pageButton,
  pagesOf,
  partValue,
  shownHeight,
  shownWidths,
  turnValue,
} from "../../results/stamp-form.ts";
import { Submit } from "../button.tsx";
import blank from "./blank.svg?no-inline";
import { StampLayer, StampMark, stampAbout, stampNames } from "./stamp-layer.tsx";

/** The URLs of page images and of original files. Pages count from 1. */
interface WorkLinks {
  picture(fileId: number, page: number): string;
  /** Undefined where files cannot be opened. */
  original?(fileId: number): string;
}

interface WorkProps {
  /** Whose work it is, such as "Learner 3". */
  label: string;
  work: ShownFile[];
  links: WorkLinks;
  /** The question that is marked. A page with its stamp is shown first, and its answer in a typed script is tinted. */
  question?: string | undefined;
  /** The form in which stamps are placed; undefined where stamps are only read. */
  tools?: Tools | undefined;
  /** Whether pictures load at once, to be printed. */
  isPrinted?: boolean | undefined;
}

interface Tools {
  /** The id of the form. */
  form: string;
  isZoomed: boolean;
  /** The page that is shown first if none has a stamp for the question, from 1; null for the beginning. */
  page: number | null;
  /** Whether the form may say that a learner without work was absent. */
  mayBeAbsent: boolean;
}

/** The id of the page that is shown first. */
export const shownAnchor = "shown";

/** The anchor of the page that is shown first; undefined for the beginning of the work. */
function firstShown({ work, tools, question }: WorkProps): string | undefined {
  if (!tools) return undefined;
  const stamped = work
    .flatMap(({ stamps }) => stamps)
    .find((stamp) => stamp.page !== null && stamp.questionNumber === question);
  if (stamped) return placeAnchor(stamped);
  const pages = pagesOf(work).map(({ fileId, page }) => pageAnchor(fileId, page));
  return tools.page === null ? undefined : (pages[tools.page - 1] ?? pages.at(-1));
}

/** The anchor of a page or of a paragraph; of the answer's heading if no place is given. */
export const placeAnchor = (place?: Pick<StampPlace, "fileId" | "page" | "paragraph">): string => {
  if (!place) return "answer";
  const { fileId, page, paragraph } = place;
  return page === null ? paragraphAnchor(fileId, paragraph!) : pageAnchor(fileId, page);
};

const paragraphAnchor = (fileId: number, paragraph: number) => `paragraph-${fileId}-${paragraph}`;

/**
 * The anchors of the answer in a typed script: the only paragraph that begins with the question's number, as "1.1",
 * "1.1." or "Question 1.1:". If that paragraph has nothing but the number, the paragraphs after it are part of the
 * answer, up to one that begins with a digit.
 */
function tintedParagraphs({ work, question }: WorkProps): ReadonlySet<string> {
  if (!question) return new Set();
  const [answer, ...others] = work.flatMap(({ fileId, rendered }) => {
    if (rendered?.kind !== "paragraphs") return [];
    const starts = rendered.paragraphs.map((text) => text.replace(/^\s*(question\s+)?/i, ""));
    return starts.flatMap((start, index) =>
      beginsWith(question, start) ? [{ fileId, starts, index }] : [],
    );
  });
  if (!answer || others.length > 0) return new Set();
  const { fileId, starts, index } = answer;
  const isAlone = /^[.:)\s]*$/.test(starts[index]!.slice(question.length));
  if (!isAlone) return new Set([paragraphAnchor(fileId, index + 1)]);
  const next = starts.findIndex((one, at) => at > index && /^\d/.test(one));
  const end = next === -1 ? starts.length : next;
  const indexes = [...starts.keys()].slice(index, end);
  return new Set(indexes.map((one) => paragraphAnchor(fileId, one + 1)));
}

/** Whether a text begins with a question's number: "1.1 Leaves", but not "1.10" or "1.1.2". */
const beginsWith = (question: string, text: string): boolean =>
  text.startsWith(question) && /^(?!\.?\w)/.test(text.slice(question.length));

const pageAnchor = (fileId: number, page: number) => `page-${fileId}-${page}`;

/** A learner's work with its stamps: pictures of its pages, its text, or links to the files as they were sent. */
export function LearnerWork(props: WorkProps) {
  const { label, work, tools } = props;
  const view = {
    ...props,
    first: firstShown(props),
    tinted: tintedParagraphs(props),
    pageCount: pagesOf(work).length,
  };
  return (
    <section
      className={tools?.isZoomed ? "work zoomed" : "work"}
      aria-label={`Work of ${label}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
    >
      {work.length === 0 && <NoWork label={label} tools={tools} />}
      {work.map((file, index) => (
        <WorkFile
          key={`${file.fileId} ${file.firstPage}`}
          file={file}
          view={view}
          pagesBefore={pagesOf(work.slice(0, index)).length}
        />
      ))}
    </section>
  );
}

function NoWork({ label, tools }: Pick<WorkProps, "label" | "tools">) {
  return (
    <p>
      {label} has sent no work.{" "}
      {tools?.mayBeAbsent && (
        <Submit form={tools.form} className="button quiet small no-print" value="absent">
          Absent
        </Submit>
      )}
    </p>
  );
}

/** What is the same for all files of the work. */
interface WorkView extends Pick<WorkProps, "label" | "links" | "tools" | "isPrinted"> {
  /** The anchor of the page that is shown first. */
  first: string | undefined;
  /** The anchors of the paragraphs that are tinted. */
  tinted: ReadonlySet<string>;
  /** How many pages of the work are shown as pictures. */
  pageCount: number;
}

interface FileProps {
  file: ShownFile;
  view: WorkView;
  /** How many pages of the files before this one are shown. */
  pagesBefore: number;
}

function WorkFile({ file, view, pagesBefore }: FileProps) {
  const { fileId, name, rendered, firstPage, lastPage } = file;
  const isWhole = firstPage === 1 && lastPage === null;
  // The sample's files, which have the id 0, have no originals to open.
  const original = isWhole && fileId > 0 && view.links.original && (
    <a className="standalone-link" href={view.links.original(fileId)}>
      {`Open the original${name === null ? "" : `, ${name}`}`}
    </a>
  );
  if (rendered?.kind === "pages") {
    return (
      <>
        {rendered.pages.map((page, index) => (
          <Page
            key={page.page}
            file={file}
            page={page}
            view={view}
            title={pageTitle(pagesBefore + index + 1, view)}
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
          This is the text of the file, paragraph by paragraph. Drawings, footnotes and the numbers
          of lists may be missing, and the layout differs. <br />
          {original}
        </p>
        <ol className="paragraphs">
          {rendered.paragraphs.map((text, index) => (
            <Paragraph key={index} file={file} text={text} number={index + 1} view={view} />
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

/** For example "Page 2 of 5 of learner 3". */
const pageTitle = (page: number, { pageCount, label }: WorkView) =>
  `Page ${page} of ${pageCount} of ${label.replace(/^Learner (?=\d+$)/, "learner ")}`;

interface PageProps {
  file: ShownFile;
  page: ShownPage;
  view: WorkView;
  title: string;
}

function Page({ file, page, view, title }: PageProps) {
  const { fileId } = file;
  const { tools, isPrinted, pageCount } = view;
  const { text, warning } = page;
  const src = view.links.picture(fileId, page.page);
  const stamps = file.stamps.filter((stamp) => stamp.page === page.page);
  const anchor = pageAnchor(fileId, page.page);
  return (
    <figure id={anchor}>
      <div className="picture" id={anchor === view.first ? shownAnchor : undefined}>
        <Picture page={page} title={title} src={src} isPrinted={isPrinted} />
        <StampLayer page={page} stamps={stamps} />
        {tools && <PlaceButtons fileId={fileId} page={page} title={title} form={tools.form} />}
      </div>
      <figcaption className="hint">
        {`${title}. `}
        {tools ? (
          <PageTools
            fileId={fileId}
            page={page}
            title={title}
            tools={tools}
            turnsAll={pageCount > 1}
          />
        ) : (
          <ZoomLink title={title} src={src} />
        )}
        {warning && <b> {warning}</b>}
      </figcaption>
      {/* The list is not printed: the picture shows the stamps. */}
      <div className="no-print">
        <StampList stamps={stamps} form={tools?.form} label={`Stamps on ${inSentence(title)}`} />
      </div>
      {text && (
        <details className="no-print">
          <summary>Text of this page ({counted(text.split(/\s+/).length, "word")})</summary>
          <p className="page-text">{text}</p>
        </details>
      )}
    </figure>
  );
}

/** A title, such as “Page 1 of 3”, within a sentence. */
const inSentence = (title: string) => title.replace(/^P/, "p");

const ZoomLink = ({ title, src }: { title: string; src: string }) => (
  <a className="standalone-link no-print" href={src}>
    Zoom<span className="visually-hidden"> into {inSentence(title)}</span>
  </a>
);

/** The picture of a page, turned by the stored angle. */
export function Picture({
  page,
  title,
  src,
  isPrinted,
}: Pick<WorkProps, "isPrinted"> & { page: ShownPage; title: string; src: string }) {
  const { width, height, turn } = page;
  if (turn === 0) {
    const loading = isPrinted ? "eager" : "lazy";
    return <img src={src} width={width} height={height} loading={loading} alt={title} />;
  }
  const size = turnedSize(page, turn);
  // The picture is turned around its top left corner, so move it back into view.
  const move = { 90: [height, 0], 180: [width, height], 270: [0, width] }[turn];
  return (
    <svg className="turned" viewBox={`0 0 ${size.width} ${size.height}`} {...size} role="img">
      <title>{title}</title>
      <image
        href={src}
        width={width}
        height={height}
        transform={`translate(${move.join(" ")}) rotate(${turn})`}
      />
    </svg>
  );
}

/** A page, by its file and in words. */
interface PageId {
  fileId: number;
  page: ShownPage;
  title: string;
}

/**
 * Transparent image buttons over the picture of a page, one for each width of the picture. The style sheet shows one of
 * them, and must not change its width: browsers post the place of a click in pixels of the button.
 */
function PlaceButtons({ fileId, page, title, form }: PageId & Pick<Tools, "form">) {
  return shownWidths.map((width) => (
    <input
      key={width}
      type="image"
      form={form}
      name={pageButton(fileId, page.page, width)}
      className={`place w${width} no-print`}
      src={blank}
      width={width}
      height={shownHeight(page, width)}
      alt={`Stamp ${inSentence(title)}`}
    />
  ));
}

function PageTools({
  fileId,
  page,
  title,
  turnsAll,
  tools: { form, isZoomed },
}: PageId & { turnsAll: boolean; tools: Tools }) {
  const nextTurn = turnValue(fileId, page.page, ((page.turn + 90) % 360) as PageTurn);
  const name = <span className="visually-hidden"> {inSentence(title)}</span>;
  return (
    <span className="no-print">
      <Submit
        form={form}
        className="link"
        name="zoom"
        value={`${isZoomed ? "out" : "in"}-${pageAnchor(fileId, page.page)}`}
      >
        Zoom {isZoomed ? "out" : "in"}
        {name}
      </Submit>
      <Submit form={form} className="link" name="turn" value={nextTurn}>
        Turn{name}
      </Submit>
      {turnsAll && (
        <Submit form={form} className="link" name="turnAll" value={nextTurn}>
          Turn all
          <span className="visually-hidden"> pages of this script, as {inSentence(title)}</span>
        </Submit>
      )}
    </span>
  );
}

interface ListProps {
  stamps: Stamp[];
  /** The id of the form that removes stamps; undefined where stamps are only read. */
  form: string | undefined;
  label: string;
}

function StampList({ stamps, form, label }: ListProps) {
  if (stamps.length === 0) return null;
  return (
    <ul className="stamp-list" aria-label={label}>
      {stamps.map((stamp) => (
        <li key={stamp.id}>
          <StampMark kind={stamp.kind} />{" "}
          {stamp.kind === "comment" ? (
            <span className="pen">{stamp.text}</span>
          ) : (
            stampNames[stamp.kind]
          )}
          <span className="hint">, {stampAbout(stamp)}</span>
          {form && (
            <Submit form={form} className="link no-print" name="remove" value={stamp.id}>
              Remove
              <span className="visually-hidden">
                {` ${stamp.text || stampNames[stamp.kind]}, ${stampAbout(stamp)}`}
              </span>
            </Submit>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ParagraphProps {
  file: ShownFile;
  text: string;
  /** Position in the file, from 1. */
  number: number;
  view: WorkView;
}

function Paragraph({ file, text, number, view: { tools, tinted } }: ParagraphProps) {
  const { fileId } = file;
  const anchor = paragraphAnchor(fileId, number);
  const stamps = file.stamps.filter((stamp) => stamp.paragraph === number);
  return (
    <li id={anchor} className={tinted.has(anchor) ? "tinted cluster" : "cluster"}>
      <span>{text}</span>
      {tools && (
        <Submit
          form={tools.form}
          className="link no-print"
          name="place"
          value={partValue(fileId, number)}
        >
          Stamp<span className="visually-hidden"> paragraph {number}</span>
        </Submit>
      )}
      <StampList stamps={stamps} form={tools?.form} label={`Stamps on paragraph ${number}`} />
    </li>
  );
}
