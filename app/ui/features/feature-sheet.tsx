import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";
import {
  AddedUp,
  AuditedQuestion,
  CommentRewritten,
  QuestionAverages,
  RubricLine,
  SharedPassage,
} from "./specimens.tsx";

/** A piece of what each feature makes, in their order. */
const specimens = [
  <RubricLine key="grading" />,
  <CommentRewritten key="feedback" />,
  <QuestionAverages key="reports" />,
  <SharedPassage key="plagiarism" />,
  <AuditedQuestion key="quality" />,
  <AddedUp key="time" />,
];

/** The features, styled as questions of an answer sheet, each with an example of its output. */
export function FeatureSheet({ text }: { text: PageText<"features"> }) {
  const { title, html, items } = text.sections["six-features"];
  return (
    <section className="leaf" aria-labelledby="six-title">
      <div className="page">
        <SectionText as="h2" id="six-title" html={title} />
        <SectionText className="faded" html={html} />
        <ol className="answer-sheet two-columns">
          {items.map(({ title, html, place }) => (
            <li key={title}>
              <SectionText as="h3" html={title} />
              <Fold title={title}>
                <SectionText className="ticked" html={html} />
              </Fold>
              {specimens[place]}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
