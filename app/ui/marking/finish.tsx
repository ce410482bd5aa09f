import { counted } from "../../domain/counted.ts";
import type { Desk, DeskLearner } from "../../domain/desk.ts";
import { hasDifference, isDecided } from "../../results/class-report.ts";
import { differencesText } from "../../results/decision-progress.ts";
import { answerLabel, type DeskLinks, learnerLabel } from "./desk-urls.ts";

interface LinkProps {
  learner: DeskLearner;
  questionNumber: string;
  links: DeskLinks;
}

function leftToDecide({ questions, learners }: Desk) {
  const graded = learners.filter(
    ({ noGrade, absenceReportedBy }) => !noGrade && !absenceReportedBy,
  );
  const left = questions.flatMap(({ questionNumber }) => {
    const open = graded.filter(({ marks }) =>
      marks.some((mark) => mark.questionNumber === questionNumber && !isDecided(mark)),
    );
    return open.length > 0 ? [{ questionNumber, open }] : [];
  });
  const differing = graded.flatMap((learner) =>
    learner.marks.filter(hasDifference).map(({ questionNumber }) => ({ learner, questionNumber })),
  );
  const reported = learners.filter(({ absenceReportedBy }) => absenceReportedBy);
  // A learner with open answers is in `left` already. A class without any file was marked on paper: no work is missing.
  const hasFiles = learners.some(({ files }) => files.length > 0);
  const missing = graded.filter(
    ({ files, marks }) =>
      hasFiles && files.length === 0 && marks.length > 0 && marks.every(isDecided),
  );
  return { left, differing, reported, missing };
}

export function Finish({ desk, links }: { desk: Desk; links: DeskLinks }) {
  const { questions, learners, link, signed, openElsewhere } = desk;
  const { left, differing, reported, missing } = leftToDecide(desk);
  const ungraded = learners.filter(({ noGrade }) => noGrade);
  const opened = new Set(openElsewhere.map((one) => `${one.learnerId} ${one.questionNumber}`));
  const elsewhere = left.flatMap(({ questionNumber, open }) =>
    open.filter(({ id }) => opened.has(`${id} ${questionNumber}`)),
  );
  const isNothingLeft = left.length + differing.length + reported.length === 0;
  return (
    <>
      <h2>What is left</h2>
      {questions.length === 0 && <p>The questions are not set yet.</p>}
      {left.length > 0 && (
        <ul className="answers-left">
          {left.map(({ questionNumber, open }) => (
            <li key={questionNumber}>
              <a
                className="standalone-link"
                href={links.answer({ learnerId: open[0]!.id, questionNumber })}
              >
                {`Question ${questionNumber}: ${counted(open.length, "answer")}`}
              </a>
            </li>
          ))}
        </ul>
      )}
      {differing.length > 0 && <Differences differing={differing} links={links} />}
      {elsewhere.length > 0 && (
        <p>
          {`Other markers have ${counted(elsewhere.length, "answer")} open. What they leave comes back to you after five minutes.`}
        </p>
      )}
      {reported.length > 0 && (
        <LearnerList learners={reported} links={links}>
          No work is there, and a marker says that these learners were absent:
        </LearnerList>
      )}
      {missing.length > 0 && (
        <LearnerList learners={missing} links={links}>
          These learners have marks, but no work, and are not set absent:
        </LearnerList>
      )}
      {ungraded.length > 0 && (
        <p>
          {`${ungradedText(ungraded)}: `}
          <a href={links.learners}>see the learners</a>.
        </p>
      )}
      {questions.length > 0 && isNothingLeft && !signed && (
        <NothingLeft link={link} links={links} />
      )}
      {desk.asked.length > 0 && <Asked desk={desk} links={links} />}
    </>
  );
}

function ungradedText(ungraded: DeskLearner[]): string {
  const absentWithWork = ungraded.filter(
    ({ noGrade, files, marks }) =>
      noGrade === "absent" && (files.length > 0 || marks.some(isDecided)),
  ).length;
  const all = `${counted(ungraded.length, "learner")} without a grade, absent or unreadable`;
  if (absentWithWork === 0) return all;
  return `${all}, of whom ${absentWithWork} set absent with work or a mark`;
}

function Differences({
  differing,
  links,
}: {
  differing: Omit<LinkProps, "links">[];
  links: DeskLinks;
}) {
  return (
    <>
      <p>
        <b>{`${differencesText(differing.length)}.`}</b> Save the mark that counts; until then it is
        the first one.
      </p>
      <ul>
        {differing.map(({ learner, questionNumber }) => (
          <li key={`${learner.id} ${questionNumber}`}>
            <AnswerLink learner={learner} questionNumber={questionNumber} links={links} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Asked({ desk, links }: { desk: Desk; links: DeskLinks }) {
  const learners = new Map(desk.learners.map((one) => [one.id, one]));
  return (
    <>
      <h2>Your questions to the lead</h2>
      <ul>
        {desk.asked.flatMap(({ learnerId, questionNumber, reply }) => {
          const learner = learners.get(learnerId);
          if (!learner) return [];
          return (
            <li key={`${learnerId} ${questionNumber}`}>
              <AnswerLink learner={learner} questionNumber={questionNumber} links={links} />
              {reply === null ? ": no reply yet" : ": the lead has replied"}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const AnswerLink = ({ learner, questionNumber, links }: LinkProps) => (
  <a className="standalone-link" href={links.answer({ learnerId: learner.id, questionNumber })}>
    {answerLabel(learner, questionNumber)}
  </a>
);

function LearnerList({
  learners,
  links,
  children,
}: {
  learners: DeskLearner[];
  links: DeskLinks;
  children: React.ReactNode;
}) {
  return (
    <>
      <p>{children}</p>
      <ul>
        {learners.map((learner) => (
          <li key={learner.id}>
            <a className="standalone-link" href={links.learner(learner.id)}>
              {learnerLabel(learner)}
            </a>
            {learner.absenceReportedBy && `, says ${learner.absenceReportedBy}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function NothingLeft({ link, links }: { link: Desk["link"]; links: DeskLinks }) {
  const isPart = link.questions !== null || link.learners !== null;
  return (
    <p>
      {link.isEducators ? (
        <>
          Every answer is decided. <a href={`${links.report}#sign`}>Sign the marks</a> on the class
          report.
        </>
      ) : (
        <>
          {isPart ? "Everything that this link opens is decided." : "Every answer is decided."}{" "}
          There is nothing more to send: tell the person who gave you this link. The team publishes
          the marks; the educator gets a link of their own, can change any mark, and signs.
        </>
      )}
    </p>
  );
}
