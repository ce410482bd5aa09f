import type { Article } from "../domain/article.ts";
import "../styles/drawn.css";
import markSheet from "./pictures/mark-sheet.svg?url";
import markedScript from "./pictures/marked-script.svg?url";
import memo from "./pictures/memo.svg?url";

/** The three pictures that articles share. */
const shared = {
  "marked-script": {
    src: markedScript,
    alt: "Drawing of a maths answer in handwriting, marked in red: four ticks, a wrong sign ringed, a note under the text, and 42 out of 50 circled at the top",
  },
  "mark-sheet": {
    src: markSheet,
    alt: "Drawing of a handwritten mark sheet, with one mark circled in red and the note “read again”, beside a bar chart of the class with its average",
  },
  memo: {
    src: memo,
    alt: "Drawing of a printed marking memo beside a handwritten answer: red arrows lead from two lines of the memo to the words that earn the marks",
  },
};

/** Pictures of single articles, inlined so that styles/drawn.css colours them. */
const drawn = new Map(
  Object.entries(
    import.meta.glob<string>("./pictures/drawn/*.svg", {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  ).map(([file, svg]) => [/([^/]+)\.svg$/.exec(file)![1], partsOf(svg)]),
);

function partsOf(svg: string): { alt: string; drawing: string } {
  const [, alt, drawing] = /<title>(.*)<\/title>\n(.*)<\/svg>/s.exec(svg)!;
  return { alt: alt!, drawing: drawing! };
}

type Name = Article["image"];

export function ArticlePicture({ name }: { name: Name }) {
  if (!isShared(name)) {
    return (
      <Drawn
        name={name}
        className="article-picture drawn"
        role="img"
        aria-label={drawn.get(name)!.alt}
      />
    );
  }
  const { src, alt } = shared[name];
  return <img className="article-picture" src={src} alt={alt} width={800} height={360} />;
}

/** The picture beside an article's title in a list; decorative, as the title is next to it. */
export function ListedPicture({ name }: { name: Name }) {
  if (!isShared(name)) return <Drawn name={name} className="drawn" aria-hidden="true" />;
  return <img src={shared[name].src} alt="" width={800} height={360} loading="lazy" />;
}

function Drawn({ name, ...attributes }: { name: Name } & React.SVGAttributes<SVGSVGElement>) {
  const __html = drawn.get(name)!.drawing;
  return <svg {...attributes} viewBox="0 0 400 180" dangerouslySetInnerHTML={{ __html }} />;
}

const isShared = (name: Name): name is keyof typeof shared => Object.hasOwn(shared, name);
