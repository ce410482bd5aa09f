import decisions from "../../../content/sample/decisions.json";
import file from "../../../content/sample/results.json";
import ticks from "../../../content/sample/ticks.json";
import { type GivenPoint, nothingElse } from "../../domain/decision.ts";
import type { ImportedQuestion } from "../../domain/publication.ts";
import type { QuestionMark, Results } from "../../domain/result.ts";
import { decidedMark, kindOf, withMarks } from "../../results/apply-decision.ts";
import { averageOf, gradesIn } from "../../results/grade.ts";
import { resultsOf } from "../../results/import-over.ts";
import { validateResultsFile } from "../../results/results-file.ts";

/** URL of each file of the sample class, by its path below content/sample. */
const urls = Object.entries(
  import.meta.glob<string>("../../../content/sample/**/*.txt", {
    query: "?url",
    import: "default",
    eager: true,
  }),
).map(([path, href]): [string, string] => [path.replace(/^.*?content\/sample\//, ""), href]);

/**
 * Returns the sample result that every visitor may open; validated like the team's own files.
 * @param hasProposals whether marks without a decision are proposals; otherwise a marker has decided them
 */
export function sampleResults(hasProposals: boolean): Results {
  const submissions = urls.filter(([path]) => path.startsWith("submissions/"));
  const { imported, errors } = validateResultsFile(file, {
    title: "",
    questions: [],
    learners: submissions.map(([path]) => ({ fileName: nameOf(path) })),
  });
  if (errors) throw new Error(`content/sample/results.json is invalid: ${errors.join("; ")}`);
  const results = resultsOf(imported, 1);
  const points = pointsOf(imported.questions);
  const decided = results.submissions.map((submission, index) => ({
    learnerId: index + 1,
    ...withMarks(
      submission,
      submission.questionMarks.map((mark) => {
        const givenPoints = ticked(submission.fileName, mark, points);
        const markBefore = hasProposals ? mark : byMarker(mark, givenPoints);
        return decidedInSample(submission.fileName, markBefore, givenPoints);
      }),
    ),
  }));
  const others = urls.filter((entry) => !submissions.includes(entry));
  return {
    ...results,
    submissions: decided,
    points,
    averageGrade: averageOf(gradesIn(decided)),
    sampleFiles: [...others, ...submissions].map(([path, href]) => ({ name: nameOf(path), href })),
  };
}

/** Returns the points of the questions' memos by the number of the question, with ids from 1. */
function pointsOf(questions: ImportedQuestion[]): NonNullable<Results["points"]> {
  let id = 0;
  return Object.fromEntries(
    questions.flatMap(({ questionNumber, memoPoints = [] }) =>
      memoPoints.length === 0
        ? []
        : [[questionNumber, memoPoints.map((point) => ({ ...point, id: ++id }))]],
    ),
  );
}

/**
 * Returns a question's points, ticked as in content/sample/ticks.json, which has their positions in the memo, from 1.
 * Empty if that file does not have the learner's answer.
 */
function ticked(
  fileName: string,
  { questionNumber }: QuestionMark,
  points: NonNullable<Results["points"]>,
): GivenPoint[] {
  const all: Record<string, Record<string, number[]>> = ticks;
  const positions = all[questionNumber]?.[fileName];
  return positions
    ? points[questionNumber]!.map(({ id, worth }, index) => ({
        id,
        worth,
        isTicked: positions.includes(index + 1),
      }))
    : [];
}

/** Returns the mark as if there had been no proposal, and a marker had given it. */
function byMarker(
  { unsure: _, marksAwarded: marks, ...mark }: QuestionMark,
  points: GivenPoint[],
): QuestionMark {
  return decidedMark(
    { ...mark, marksAwarded: null, takesReason: true },
    { ...nothingElse, marks, points },
    { id: 0, how: "entered", by: "N. Dlamini", role: "marker", at: "2026-06-02T12:00:00.000Z" },
  );
}

/** Returns the mark as content/sample/decisions.json decides it. */
function decidedInSample(fileName: string, mark: QuestionMark, points: GivenPoint[]): QuestionMark {
  const id = decisions.findIndex(
    (one) => one.fileName === fileName && one.questionNumber === mark.questionNumber,
  );
  const decision = decisions[id];
  if (!decision) return mark;
  const { marks, comment = "" } = decision;
  const how = kindOf(mark, marks);
  return decidedMark(
    mark,
    { ...nothingElse, marks, comment, points },
    { id: id + 1, how, by: "the educator", role: "educator", at: "2026-06-03T12:00:00.000Z" },
  );
}

const nameOf = (path: string) => path.replace(/^.*\//, "");
