import type { Brand, ClaimName } from "../../brand.ts";
import { maxSubmissions } from "../../domain/service.ts";
import { FigureLink } from "../figure-link.tsx";
import { Fold } from "../fold.tsx";
import {
  AddedUp,
  AuditedQuestions,
  CommentRewritten,
  QuestionAverages,
  RubricLine,
  SharedPassage,
} from "./specimens.tsx";

interface Feature {
  title: string;
  text: string;
  points: React.ReactNode[];
  /** Further points, each shown if the institution claims the figure. */
  claims?: [name: ClaimName, text: (figure: string) => React.ReactNode][];
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
          {features.map(({ title, text, points, claims: claimed = [], specimen }) => (
            <li key={title}>
              <h3>{title}</h3>
              {specimen}
              <Fold title="Point by point">
                <p>{text}</p>
                <ul className="ticked">
                  {points.map((point, index) => (
                    <li key={index}>{point}</li>
                  ))}
                  {claimed
                    .filter(([name]) => claims[name].figure)
                    .map(([name, text]) => (
                      <li key={name}>
                        {text(claims[name].figure)} (<FigureLink claim={name} />)
                      </li>
                    ))}
                </ul>
              </Fold>
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
    text: "Your rubric or memo is the yardstick. Where it doesn’t say what a mark is for, none is proposed.",
    points: [
      "Essays, maths, code and short answers: a mark and a reason for every question",
      "Typed work, or paper scanned to PDF; handwriting that two colleagues can’t read won’t be read here either",
      "Rubrics of your own: your criteria, your weights, your words",
      <>
        The same rule for script 7 and script 700. A model can still give one answer two marks on
        two days: <a href="/figures#twice">what we do about that</a>
      </>,
    ],
    claims: [
      [
        "accuracy",
        (figure) => (
          <>
            {figure} accuracy in proposed marks.{" "}
            <a href="/exam-grading-accuracy-comparison">Test it on thirty scripts</a>
          </>
        ),
      ],
      [
        "volume",
        (figure) =>
          `Assessment volume in a workspace: ${figure}. The free demo takes ${maxSubmissions} scripts`,
      ],
    ],
    specimen: <RubricLine />,
  },
  {
    title: "Personalized Feedback",
    text: "Each learner reads why the mark was given and what would have earned the next one.",
    points: [
      "Points at the sentence, the step or the line of code that it speaks of",
      "Names one thing to do better, so that it has a chance of being done",
      "Yours to change before a learner sees it",
    ],
    claims: [["languages", (figure) => `In any of ${figure} official languages`]],
    specimen: <CommentRewritten />,
  },
  {
    title: "Comprehensive Reports",
    text: "When the marks are in, the report turns to the teaching: what did most of them miss?",
    points: [
      "Average, median and spread of a class, and every mark as a grid",
      "The average of every question: how many have full marks, less than half, or none",
      "A slip to print for each learner, question by question, graded in four bands: 90 and above, 80 and above, 70 and above, below 70",
    ],
    specimen: <QuestionAverages />,
  },
  {
    title: "Plagiarism Detection",
    text: "In a workspace, passages that two scripts of a batch share are put side by side. What it means is for you to say.",
    points: [
      "Compares the scripts of one batch with each other and with nothing else: not with the internet, other schools or last year’s work",
      "Shows the shared words in both scripts, with what comes before and after",
      "Lists the pairs to open first: 40 scripts make 780 pairs",
      "Accuses nobody: a copied sentence and one that both took from the textbook look alike until a person reads them",
    ],
    specimen: <SharedPassage />,
  },
  {
    title: "Quality Assurance",
    text: "In a workspace: audits of what you mark with, and of the marks.",
    points: [
      "Checklists and questionnaires audited for items that ask two things, overlap or leave out an answer",
      "Marks flagged that don’t fit the rubric, or that drift between the first script and the last",
      "For moderation: the proposed mark, the final one and the reason for the change, next to each other",
    ],
    specimen: <AuditedQuestions />,
  },
  {
    title: "Massive Time Savings",
    text: "The first pass is done when you sit down. Your hours go into checking, and into the scripts that need you.",
    points: ["Comments drafted, totals added, nothing copied from one sheet to another"],
    claims: [
      [
        "availability",
        (figure) => `Open ${figure}: files can be sent on the Sunday before exam week`,
      ],
      [
        "timeSaved",
        (figure) => (
          <>
            First marking in {figure} less time. <a href="#time">The working is below</a>
          </>
        ),
      ],
    ],
    specimen: <AddedUp />,
  },
];
