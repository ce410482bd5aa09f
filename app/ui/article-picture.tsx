import type { Article } from "../domain/article.ts";
import { drawn } from "./pictures/drawn.tsx";
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

type Name = Article["image"];

export function ArticlePicture({ name }: { name: Name }) {
  if (!isShared(name)) {
    const { alt, drawing } = drawn[name];
    return (
      <svg className="article-picture drawn" viewBox="0 0 400 180" role="img" aria-label={alt}>
        {drawing}
      </svg>
    );
  }
  const { src, alt } = shared[name];
  return <img className="article-picture" src={src} alt={alt} width={800} height={360} />;
}

/** The picture beside an article's title in a list; decorative, as the title is next to it. */
export function ListedPicture({ name }: { name: Name }) {
  if (isShared(name))
    return <img src={shared[name].src} alt="" width={800} height={360} loading="lazy" />;
  return (
    <svg className="drawn" viewBox="0 0 400 180" aria-hidden="true">
      {drawn[name].drawing}
    </svg>
  );
}

const isShared = (name: Name): name is keyof typeof shared => Object.hasOwn(shared, name);
