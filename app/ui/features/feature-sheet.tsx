import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";
import {
  AddedUp,
  AuditedQuestion,
  CommentRewritten,
  QuestionAverages,
  RubricLine,
  SharedPassage,
} from "./specimens.tsx";

/** An example of the output of each feature, in the order of the page. */
const specimensOf = ({ model, workspace }: Brand) => [
  <RubricLine key="grading" isProposed={Boolean(model)} />,
  <CommentRewritten key="feedback" />,
  <QuestionAverages key="reports" />,
  <SharedPassage key="plagiarism" />,
  workspace && <AuditedQuestion key="quality" />,
  <AddedUp key="time" />,
];

/** The features, styled as questions of an answer sheet, each with an example of its output. */
export function FeatureSheet({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  const specimens = specimensOf(brand);
  const { title, html, items } = text.sections["six-features"];
  return (
    <PageSection className="leaf" titleId="six-title" title={title}>
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
    </PageSection>
  );
}
