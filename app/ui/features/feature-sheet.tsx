import type { Brand } from "../../brand.ts";
import { SharedPassage } from "./shared-passage.tsx";
import {
  AddedUp,
  AuditedQuestions,
  CommentRewritten,
  QuestionAverages,
  RubricLine,
} from "./specimens.tsx";

interface Feature {
  title: string;
  text: string;
  points: string[];
  /** A further point, if the institution makes the claim. */
  claim?: (claims: Brand["claims"]) => React.ReactNode;
  specimen: React.ReactNode;
}

/** The six features, styled as questions of an answer sheet, each with an example of its output. */
export function FeatureSheet({ claims }: Pick<Brand, "claims">) {
  return (
    <section className="feature-list" aria-labelledby="six-title">
      <div className="page">
        <h2 id="six-title">Six features, and a piece of what each one makes</h2>
        <p className="faded">The pieces are examples of ours, not learners’ work.</p>
        <ol className="answer-sheet">
          {features.map(({ title, text, points, claim, specimen }) => (
            <li key={title}>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
                <ul className="ticked">
                  {points.map((point) => (
                    <li key={point}>{point}</li>
                  ))}
                  {claim?.(claims)}
                </ul>
              </div>
              {specimen}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

const features: Feature[] = [
  {
    title: "AI-Powered Grading",
    text: "Your rubric or memo is the yardstick. A mark is proposed only where it says what the mark is given for.",
    points: [
      "Essays, maths, code and short answers: a mark and a reason for every question",
      "Typed work, or paper scanned to PDF; handwriting that two colleagues cannot read will not be read here either",
      "Rubrics of your own: your criteria, your weights, your words",
      "The same rule for script 7 and script 700, with no limit on how many there are (the free demo takes 50)",
    ],
    claim: ({ accuracy }) =>
      accuracy && (
        <li>
          {accuracy} accuracy in proposed marks: our own figure, not independently tested.{" "}
          <a href="/exam-grading-accuracy-comparison">How to test it on thirty scripts</a>
        </li>
      ),
    specimen: <RubricLine />,
  },
  {
    title: "Personalized Feedback",
    text: "Each learner reads why the mark was given and what would have earned the next one.",
    points: [
      "Points at the sentence, the step or the line of code that it speaks of",
      "Names one thing to do better, so that it has a chance of being done",
      "In any of eleven languages, and yours to change before a learner sees it",
    ],
    specimen: <CommentRewritten />,
  },
  {
    title: "Comprehensive Reports",
    text: "When the marks are in, the report turns to the teaching: what did most of them miss, and how?",
    points: [
      "Average and spread for a class or a whole grade",
      "The average of every question, with the commonest wrong answer",
      "A sheet for each learner, question by question, graded in four bands: 90 and above, 80 and above, 70 and above, below 70",
    ],
    specimen: <QuestionAverages />,
  },
  {
    title: "Plagiarism Detection",
    text: "Passages that two scripts in a batch share are put side by side. What it means is for you to say.",
    points: [
      "Compares the scripts of one batch with each other and with nothing else: not with the internet, other schools or last year’s work",
      "Shows the shared words where they stand, in both scripts",
      "Says which pairs to open first, where nobody could compare all of them by hand",
      "Accuses nobody: a copied sentence and one that both took from the textbook look alike until a person reads them",
    ],
    specimen: <SharedPassage />,
  },
  {
    title: "Quality Assurance",
    text: "Audits of what you mark with, and of the marks.",
    points: [
      "Checklists and questionnaires audited for items that ask two things, overlap or leave out an answer",
      "Marks flagged that do not fit the rubric, or that drift between the first script and the last",
      "For moderation: the proposed mark, the final one and the reason for the change, next to each other",
    ],
    specimen: <AuditedQuestions />,
  },
  {
    title: "Massive Time Savings",
    text: "The first pass is done when you sit down. Your hours go into checking, and into the scripts that need you.",
    points: [
      "Open 24 hours a day, 7 days a week, maintenance aside: files can be sent on the Sunday before exam week",
      "Comments drafted, totals added, nothing copied from one sheet to another",
    ],
    claim: ({ timeSaved }) =>
      timeSaved && (
        <li>
          First marking in {timeSaved} less time: our own figure, not independently tested.{" "}
          <a href="#time">The working is below</a>
        </li>
      ),
    specimen: <AddedUp />,
  },
];
