/** The rules of the marking desk: what people type, choices and progress. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { MarkedSubmission, QuestionMark } from "../app/domain/result.ts";
import { answerStatesOf } from "../app/results/answer-states.ts";
import { changesIn } from "../app/results/class-changes.ts";
import { readClassList } from "../app/results/class-list.ts";
import { learnersIn, questionsIn } from "../app/results/class-part.ts";
import { type ClassPlan, planClassList } from "../app/results/class-plan.ts";
import { questionReports, whyLook } from "../app/results/class-report.ts";
import { progressOf } from "../app/results/decision-progress.ts";
import { answerState, deskProgress } from "../app/results/desk-progress.ts";
import { sumOf, totalOf } from "../app/results/grade.ts";
import { openWorkOf, openWorkSentences } from "../app/results/open-work.ts";
import { marksOn, paperEffects } from "../app/results/paper.ts";
import { questionLines, readQuestionLines } from "../app/results/question-lines.ts";
import { assertLinear } from "./support/assert-linear.ts";
import { column, columns } from "./support/columns.ts";

test("typed lines become questions, and written back become the same questions", () => {
  const typed = [
    "1.1 | 3 | Names three adaptations | thick leaves; deep roots | or: a wax layer",
    "",
    " 1.2|2,5| ",
    "4.1 | 10 | Essay A",
    "4.2 | 10 | Essay B",
    "4.3 | 10 | Essay C",
    "Choose 2: 4.1, 4.2 4.3",
  ].join("\r\n");
  const { questions } = readQuestionLines(typed);
  const choice = { group: 1, best: 2 };
  assert.deepEqual(questions, [
    {
      questionNumber: "1.1",
      totalMarks: 3,
      description: "Names three adaptations",
      memo: "thick leaves; deep roots | or: a wax layer",
    },
    { questionNumber: "1.2", totalMarks: 2.5, description: "Question 1.2", memo: "" },
    ...["A", "B", "C"].map((essay, index) => ({
      questionNumber: `4.${index + 1}`,
      totalMarks: 10,
      description: `Essay ${essay}`,
      memo: "",
      choice,
    })),
  ]);
  assert.deepEqual(readQuestionLines(questionLines(questions!)), { questions });
});

test("the text of a question may have bars, as in maths", () => {
  const question = (questionNumber: string, description: string, memo: string) => ({
    questionNumber,
    totalMarks: 3,
    description,
    memo,
  });
  const lines = [
    "1 | 3 | Solve |x| = 3 | x = 3 | x = −3",
    "2 | 3 | Sketch y = |x|",
    "3|3|Terms|all",
  ];
  const { questions } = readQuestionLines([...lines, "4\t3\tRead P(A|B)\t0.5"].join("\n"));
  assert.deepEqual(questions, [
    question("1", "Solve |x| = 3", "x = 3 | x = −3"),
    question("2", "Sketch y = |x|", ""),
    question("3", "Terms", "all"),
    question("4", "Read P(A|B)", "0.5"),
  ]);
  assert.deepEqual(readQuestionLines(questionLines(questions!)), { questions });
  const imported = questionLines([question("1", "Either | or", "")]);
  assert.deepEqual(readQuestionLines(imported).questions, [question("1", "Either|or", "")]);
  const atEnds = questionLines([question("1", "| a  |", "b"), question("2", "c", "d\te")]);
  assert.deepEqual(readQuestionLines(atEnds).questions, [
    question("1", "|a|", "b"),
    question("2", "c", "d e"),
  ]);
});

test("of far too many lines only their number is reported", () => {
  for (const lines of [
    Array.from({ length: 201 }, (_, index) => `${index} | 1`),
    Array.from({ length: 40_000 }, () => "a"),
  ]) {
    assert.deepEqual(readQuestionLines(lines.join("\n")).errors, [
      { line: null, message: "A paper has at most 100 questions." },
    ]);
  }
});

test("a paper has at most 100 questions, and 1 to 1000 marks", () => {
  const errorOf = (...lines: string[]) => readQuestionLines(lines.join("\n")).errors?.[0]?.message;
  const questions = Array.from({ length: 101 }, (_, index) => `${index} | 1`);
  assert.equal(errorOf(...questions), "A paper has at most 100 questions.");
  assert.equal(errorOf(...questions.slice(1)), undefined);
  for (const marks of ["1", "1000"]) assert.equal(errorOf(`1 | ${marks}`), undefined, marks);
  for (const [line, error] of [
    ["1 | 0", "The marks must be at least 0.25."],
    ["1 | 0.75", "The marks must sum to 1 to 1000; they sum to 0.75."],
    ["1 | 1000.25", "The marks must be at most 1000."],
  ] as const) {
    assert.equal(errorOf(line), error);
  }
  assert.equal(errorOf("1 | 1000", "2 | 1"), "The marks must sum to 1 to 1000; they sum to 1001.");
});

const errorsIn = (...lines: string[]) =>
  (readQuestionLines(lines.join("\n")).errors ?? []).map(({ line, message }) => [line, message]);

test("each line of questions that is wrong is reported with its number", () => {
  const wrong: [line: string, error: string | undefined][] = [
    [
      "Photosynthesis",
      "Write number | marks | text | memo, such as 1.1 | 3 | Names three adaptations.",
    ],
    ["1 | many | A", "The marks must be a number."],
    ["| 3 | B", "The number must not be empty."],
    ["2 | 1.3 | C", "The marks must be in whole, half or quarter marks."],
    ["3 | 2", undefined],
    ["3 | 2", "There are two questions 3."],
    ["4 | -1", "The marks must be a number."],
    ["5 | 2 | A | memo\0", "The memo must have no control characters but tabs and line breaks."],
  ];
  assert.deepEqual(
    errorsIn(...wrong.map(([line]) => line)),
    wrong.flatMap(([, error], index) => (error ? [[index + 1, error]] : [])),
  );
  assert.deepEqual(errorsIn(" "), [[null, "Write a line for each question."]]);
});

test("a cell of two lines counts as two in the numbers of wrong lines", () => {
  const cell = '1\t2\tA\t"thick (1)\ndeep (1)"';
  assert.deepEqual(errorsIn(cell, "", "2 | many | B", "3 | 2", "3 | 2"), [
    [4, "The marks must be a number."],
    [6, "There are two questions 3."],
  ]);
});

test("a wrong choice between questions is reported with the number of its line", () => {
  const four = ["1 | 5", "2 | 5", "3 | 4", "4 | 5"];
  for (const [line, error] of [
    ["choose 1: 1 9", "There is no question 9."],
    ["choose 2: 1 2", "Choose from 1 to 1 of 2 questions."],
    ["choose 1: 1", "Name at least two questions to choose from."],
    ["choose 1: 1 3", "The questions of a choice must be out of the same marks."],
    ["choose two", "Write choose, a number and questions, such as choose 3: 4.1 4.2 4.3 4.4."],
  ] as const) {
    assert.deepEqual(errorsIn(...four, line), [[5, error]]);
  }
  assert.deepEqual(errorsIn(...four, "choose 1: 1 2", "choose 1: 2 4"), [
    [6, "Question 2 is in another choice."],
  ]);
});

test("of a choice that names a question with a wrong line, only that line is reported", () => {
  const wrong = [[1, "The marks must be a number."]];
  assert.deepEqual(errorsIn("1 | many", "2 | 5", "choose 1: 1 2"), wrong);
});

const markOf = (questionNumber: string, marksAwarded: number | null, more = {}): QuestionMark => ({
  questionNumber,
  description: "",
  totalMarks: 10,
  marksAwarded,
  feedback: "",
  ...more,
});

test("of a choice the best marks count once all have one", () => {
  const choice = { group: 1, best: 2 };
  const chosen = (...marks: (number | null)[]) => [
    markOf("1", 4),
    ...marks.map((marks, index) => markOf(`2.${index + 1}`, marks, { choice })),
  ];
  assert.deepEqual(sumOf(chosen(3.25, 9, 5)), { awarded: 18, total: 30 });
  assert.deepEqual(sumOf(chosen(0, 0, 0)), { awarded: 4, total: 30 });
  assert.deepEqual(sumOf(chosen(9, 9, null)), { awarded: null, total: 30 });
});

const entered = { id: 7, how: "entered", by: "N. Dlamini", role: "marker", at: "" } as const;

/** A learner with a decided mark and an unsure proposal, and one without a grade who has a decided mark. */
const withAndWithoutGrade: MarkedSubmission[] = [
  [markOf("1", 4, { proposedMarks: null, decision: entered }), markOf("2", 5, { unsure: true })],
  [markOf("1", 10, { proposedMarks: null, decision: entered }), markOf("2", null)],
].map((questionMarks, index) => ({
  ...{ studentName: "", fileName: "", grade: null, feedback: "", questionMarks },
  ...(index === 1 && { noGrade: "unreadable" as const }),
}));

test("a learner without a grade is in no total, average or count of what has to be decided", () => {
  assert.deepEqual(totalOf(withAndWithoutGrade[1]!), { awarded: null, total: 20 });
  assert.equal(questionReports(withAndWithoutGrade)[0]!.averageMarks, 4);
  const { undecided, unmarked, decided, total, figures } = progressOf(withAndWithoutGrade);
  assert.deepEqual([undecided, unmarked], [[{ index: 0, questions: ["2"] }], []]);
  assert.deepEqual([decided, total, figures.split(" ")[0]], [1, 2, "7"]);
});

test("the progress of a desk counts learners without a grade apart", () => {
  assert.deepEqual(deskProgress(withAndWithoutGrade), {
    total: 2,
    decided: 1,
    proposed: 1,
    differences: 0,
    learners: 2,
    absent: 0,
    unreadable: 1,
    questions: [
      { questionNumber: "1", total: 1, decided: 1, proposed: 0 },
      { questionNumber: "2", total: 1, decided: 0, proposed: 1 },
    ],
    people: [{ by: "N. Dlamini", role: "marker", count: 1 }],
  });
});

test("a proposal is in pencil, or to look at first if unsure, and a decision red unless markers differ", () => {
  const marks = [
    markOf("1", null),
    markOf("1", 3),
    markOf("1", 3, { unsure: true }),
    decided("1", { unsure: true }),
    decided("1", { second }),
  ];
  assert.deepEqual(marks.map(answerState), ["empty", "pencil", "look first", "red", "differs"]);
});

test("a part of a class is typed as numbers and ranges", () => {
  const questions = ["1.1", "1.2", "2", "2a", "3.1", "10", "11.1", "1a"];
  assert.deepEqual(questionsIn("1", questions), ["1.1", "1.2", "1a"]);
  assert.deepEqual(questionsIn("1.2-3", questions), ["1.2", "2", "2a", "3.1"]);
  assert.deepEqual(questionsIn("11, 2", questions), ["2", "2a", "11.1"]);
  const learners = ["1", "2", "20231", "A-7", "3"];
  assert.deepEqual(learnersIn("2-100", learners), ["2", "3"]);
  assert.deepEqual(learnersIn("A-7,1", learners), ["1", "A-7"]);
  assert.deepEqual(learnersIn("2 – 100", learners), ["2", "3"]);
});

test("a part of a class that names none is an error that names all", () => {
  const numbers = ["1", "2", "3"];
  for (const part of ["", "4", "4-9", "-3", "1-", "1-2-3"]) {
    const error = `There is none for “${part}”; there are: 1, 2, 3.`;
    assert.deepEqual(questionsIn(part, numbers), { error });
    assert.deepEqual(learnersIn(part, numbers), { error });
  }
});

/** A class of one learner for each file, as a desk opens. */
const classOf = (...fileNames: string[]) => ({
  learners: fileNames.map((fileName, index) => ({
    id: index + 1,
    number: String(index + 1),
    isNumberListed: false,
    name: fileName.replace(/\.\w+$/, ""),
    fileName,
    hasWork: true,
    hasDecision: false,
  })),
  unused: [] as { fileId: number; name: string }[],
});
const rowsOf = (...lines: string[]) =>
  readClassList([["Number", "Name", "File"], ...lines.map((line) => line.split(","))]).learners!;
const planOf = (...given: Parameters<typeof planClassList>) => {
  const { plan, errors } = planClassList(...given);
  assert.equal(errors, undefined);
  return plan!;
};
/** The number and the files of each learner of a plan. */
const worksIn = ({ learners }: ClassPlan) =>
  learners.map(({ number, fileName, joined, files }) =>
    [number, fileName, ...joined.map((one) => one.fileName), ...files.map(({ name }) => name)].join(
      " ",
    ),
  );

test("a class list names learners by the files that are called like them", () => {
  const rows = [
    ["Number", "Name", ""],
    ["107", "Anna Abrahams", ""],
    ["108", "Ben Botha", ""],
    ["", "", ""],
    ["109", "Cleo Cele", ""],
    ["110", "Zoë O’Brien-Dlamini", ""],
    ["9B-11", "Dora", ""],
  ];
  const { learners } = readClassList(rows);
  const files = ["108.pdf", "cele, cleo_.docx", "Scan 0001.pdf", "Dlamini O'Brien, Zoe.pdf"];
  const plan = planOf(learners!, classOf(...files, "scan 9b_11.pdf"));
  assert.deepEqual(worksIn(plan), [
    "108 108.pdf",
    "109 cele, cleo_.docx",
    "110 Dlamini O'Brien, Zoe.pdf",
    "9B-11 scan 9b_11.pdf",
  ]);
  assert.deepEqual(plan.missing, [{ number: "107", name: "Anna Abrahams", file: "" }]);
  assert.deepEqual(column(plan.unlisted, "fileName"), ["Scan 0001.pdf"]);
});

test("the preview of a class list names who loses a number to another", () => {
  const [learner] = classOf("0002.pdf").learners;
  const zoe = { ...learner!, number: "0002", name: "Zoë Zulu", isNumberListed: true };
  const changesFor = (one: typeof zoe) =>
    changesIn(planOf(listed, { learners: [one], unused: [] }, { adds: true }));
  const listed = [{ number: "0002", name: "Liam O’Brien", file: "" }];
  assert.deepEqual(changesFor(zoe), [
    "The number 0002 goes from Zoë Zulu, who is not on the list, to Liam O’Brien.",
  ]);
  assert.deepEqual(changesFor({ ...zoe, isNumberListed: false }), []);
});

test("the columns of a class list are found by their names", () => {
  const [listed] = readClassList([
    ["File", "number", "NAME"],
    ["scan 0001.pdf", "9", "Anna"],
  ]).learners!;
  assert.deepEqual(listed, { number: "9", name: "Anna", file: "scan 0001.pdf" });
});

test("a file that a class list names is found in capitals and small letters", () => {
  const plan = planOf(rowsOf("9,Anna,scan 0001.pdf"), classOf("1.pdf", "Scan 0001.pdf"));
  assert.deepEqual(column(plan.learners, "learnerId"), [2]);
  assert.deepEqual(plan.noSuchFile, []);
});

test("each wrong row of a class list is reported", () => {
  const wrong = [
    ["Number", "Name"],
    ["1", ""],
    ["2", "B"],
    ["2", "C"],
    ["x".repeat(21), "D"],
    ["3", "E\uFFFF"],
  ];
  assert.deepEqual(readClassList(wrong).errors, [
    "row 2: number and name must not be empty",
    "row 4: number 2 appears twice",
    "row 5: the number has more than 20 characters",
    "row 6: there is a character that cannot be read",
  ]);
  assert.match(readClassList([["Who"]]).errors![0]!, /^row 1: the columns must be called/);
});

test("several files of one row of a class list are joined", () => {
  const parts = classOf("11_part1.pdf", "11_part2.pdf", "12.pdf");
  assert.deepEqual(worksIn(planOf(rowsOf("11,Learner Eleven,", "12,Twelve,"), parts)), [
    "11 11_part1.pdf 11_part2.pdf",
    "12 12.pdf",
  ]);
});

test("a file that two rows could have is left with its likely rows", () => {
  const alike = classOf("Thabo Nkosi.pdf", "Adams A.pdf", "Test 1 Ben.pdf", "Test 1 Zola Dube.pdf");
  const plan = planOf(
    rowsOf("1,Zola Dube,", "2,Ben Nkosi,", "3,Thabo Nkosi,", "4,Thabo Nkosi,", "5,Aisha Adams,"),
    alike,
  );
  assert.deepEqual(worksIn(plan), ["1 Test 1 Zola Dube.pdf"]);
  assert.deepEqual(
    plan.likely.map(({ number, fileName }) => `${number} ${fileName}`),
    ["3 Thabo Nkosi.pdf", "4 Thabo Nkosi.pdf", "5 Adams A.pdf", "2 Test 1 Ben.pdf"],
  );
  const sharing = rowsOf(
    ...Array.from({ length: 6 }, (_, index) => `${index},Grade ${"abcdef"[index]},`),
  );
  const { likely } = planOf(sharing, classOf("Grade 10.pdf"));
  assert.deepEqual(likely, [], "a word of all rows says nothing");
});

test("files of one name go to the rows that name it in their order", () => {
  const plan = planOf(rowsOf("1,A,scan.pdf", "2,B,scan.pdf"), classOf("scan.pdf", "scan.pdf"));
  assert.deepEqual(columns(plan.learners, "number", "learnerId"), [
    ["1", 1],
    ["2", 2],
  ]);
});

test("a file that two rows of a class list name is an error", () => {
  assert.match(
    planClassList(rowsOf("1,A,12.pdf", "2,B,12"), classOf("12.pdf")).errors![0]!,
    /^1 A and 2 B cannot both have the work with 12$/,
  );
});

test("a class list that would remove every learner is an error", () => {
  const known = classOf("1.pdf", "2.pdf");
  const listed = rowsOf("7,Zola Dube,");
  const errorsOf = (options = {}) =>
    planClassList(listed, known, { removesOthers: true, ...options }).errors;
  assert.deepEqual(errorsOf(), ["no row has a learner or a file, so no learner would be left"]);
  assert.equal(errorsOf({ adds: true }), undefined);
  assert.equal(errorsOf({ removesOthers: false }), undefined);
  known.learners[1]!.hasDecision = true;
  assert.equal(errorsOf(), undefined);
});

/** A class of one learner, whose number is from a list. */
const classOfAnna = (fileName: string) => {
  const known = classOf(fileName);
  Object.assign(known.learners[0]!, { number: "31", isNumberListed: true, name: "Anna Botha" });
  return known;
};

test("a row that names one of two joined files needs the learner's name or number", () => {
  const joined = classOfAnna("scan.pdf + b.pdf");
  const alone = /^32 Ben Dube cannot have b\.pdf alone: 31 Anna Botha has scan\.pdf \+ b\.pdf\./;
  assert.match(planClassList(rowsOf("32,Ben Dube,b.pdf"), joined).errors![0]!, alone);
  for (const row of ["32,Ben Dube,scan + b", "32,Anna Botha,b.pdf", "31,Ben Dube,b.pdf"]) {
    assert.equal(planOf(rowsOf(row), joined).learners[0]!.learnerId, 1, row);
  }
});

test("a number from a class list identifies its learner unless the name differs", () => {
  const known = classOfAnna("scan.pdf");
  known.unused.push({ fileId: 7, name: "rest.pdf" });
  assert.deepEqual(worksIn(planOf(rowsOf("31,Anna Botha,"), known)), ["31 scan.pdf"]);
  assert.deepEqual(worksIn(planOf(rowsOf("31,Anna Botha,rest.pdf"), known)), [
    "31 scan.pdf rest.pdf",
  ]);
  assert.deepEqual(worksIn(planOf(rowsOf("77,Botha Anna,"), known)), ["77 scan.pdf"]);
  const withDot = classOfAnna("scan.pdf");
  withDot.learners[0]!.name = "Zulu N.P";
  assert.deepEqual(worksIn(planOf(rowsOf("77,Zulu N.P,"), withDot)), ["77 scan.pdf"]);
  const other = planOf(rowsOf("31,Zola Dube,none.pdf"), known);
  assert.deepEqual([other.learners, other.missing.length, other.noSuchFile.length], [[], 1, 1]);
});

const second = { id: 1, by: "S. Naidoo", at: "", marks: 1, tolerance: 1 };
const decided = (questionNumber: string, more = {}) =>
  markOf(questionNumber, 3, { proposedMarks: 3, ...more });
const pencil = [markOf("1", 3), markOf("2", 3)];
const unmarked = [markOf("1", null), markOf("2", null)];

const learner = (
  learnerId: number,
  studentName: string,
  questionMarks: QuestionMark[],
  noGrade?: "absent",
) => ({
  learnerId,
  studentName,
  fileName: `${learnerId}.pdf`,
  grade: null,
  feedback: "",
  questionMarks,
  ...(noGrade && { noGrade }),
});

/** The open work of a class; `withoutWork` are ids of learners, `pages` problem pages, `asked` numbers of questions to the lead. */
const openIn = (
  submissions: MarkedSubmission[],
  { withoutWork = [], pages = [], asked = [] }: Record<string, number[]> = {},
) =>
  openWorkOf({
    learners: submissions.map(({ learnerId, noGrade, questionMarks, ...named }) => ({
      ...named,
      id: learnerId!,
      hasGrade: !noGrade,
      isAbsent: noGrade === "absent",
      states: answerStatesOf(questionMarks),
    })),
    questions: ["1", "2"],
    withoutWork: new Set(withoutWork),
    problemPages: pages.map((page) => ({ scan: "class.pdf", page })),
    leadQuestions: asked.map((number) => ({
      marker: "N. Dlamini",
      learner: "Anna",
      questionNumber: String(number),
    })),
  });

test("a class with proposals only has no open work but their decision", () => {
  const proposed = openIn([learner(1, "Anna", pencil), learner(2, "Ben", pencil)]);
  assert.deepEqual([proposed.items, proposed.complete], [[], 2]);
  assert.deepEqual(openWorkSentences(proposed), ["4 proposals, none decided."]);
});

test("in a class that was marked without a file no learner with a mark is without work", () => {
  const both = [decided("1"), decided("2")];
  const byHand = [learner(1, "Anna", both), learner(2, "Ben", unmarked), learner(3, "Cleo", both)];
  assert.deepEqual(openIn(byHand, { withoutWork: [1, 2, 3] }).items, [
    { kind: "no work", learnerId: 2, learner: "Ben" },
  ]);
});

test("the open work of a class is pages, work, marks, differences, pencil beside red, and questions", () => {
  const mixed = openIn(
    [
      { ...learner(1, "Anna", [decided("1"), decided("2")]), fileName: "Anna.pdf" },
      learner(2, "Ben", [decided("1", { second }), markOf("2", 3)]),
      learner(3, "Cleo", unmarked),
      learner(4, "Dan 2", unmarked),
      learner(5, "Eve", unmarked, "absent"),
      learner(6, "6", [decided("1"), decided("2")]),
    ],
    { withoutWork: [4, 5], pages: [7], asked: [2] },
  );
  assert.deepEqual(mixed.items, [
    { kind: "problem page", scan: "class.pdf", page: 7 },
    { kind: "no work", learnerId: 4, learner: "Dan 2" },
    { kind: "no mark", learnerId: 3, learner: "Cleo", questions: ["1", "2"] },
    { kind: "difference", learnerId: 2, learner: "Ben", questions: ["1"] },
    { kind: "pencil", learnerId: 2, learner: "Ben", questions: ["2"] },
    { kind: "question to the lead", marker: "N. Dlamini", learner: "Anna", questionNumber: "2" },
  ]);
  assert.deepEqual([mixed.complete, mixed.learners, mixed.unnamed], [3, 6, ["6"]]);
  assert.deepEqual(openWorkSentences(mixed), [
    "1 problem page belongs to no learner: class.pdf, page 7.",
    "1 learner is not absent and has no work: Dan 2.",
    "2 answers have neither mark nor proposal: Cleo, questions 1, 2.",
    "1 difference between two markers is open: the first mark counts: Ben, question 1.",
    "1 answer is still in pencil: Ben, question 2.",
    "1 question to the lead has no reply: Anna, question 2, N. Dlamini.",
    "1 learner named after a file: 6.",
  ]);
});

test("a learner who is absent and has work or a decided mark is open work", () => {
  const contradictory = openIn(
    [
      learner(1, "Anna", unmarked, "absent"),
      learner(2, "Ben", [decided("1"), markOf("2", null)], "absent"),
      learner(3, "Cleo", pencil, "absent"),
    ],
    { withoutWork: [2, 3] },
  );
  assert.deepEqual(contradictory.items, [
    { kind: "absent with work", learnerId: 1, learner: "Anna" },
    { kind: "absent with work", learnerId: 2, learner: "Ben" },
  ]);
  assert.equal(contradictory.complete, 1);
  assert.deepEqual(openWorkSentences(contradictory), [
    "2 learners are set absent, have work or a mark, and get no grade: Anna; Ben.",
  ]);
});

test("a resolved difference is no open work", () => {
  const settled = { ...second, isResolved: true as const };
  const done = openIn([learner(1, "Anna", [decided("1", { second: settled })])]);
  assert.deepEqual([done.items, openWorkSentences(done)], [[], []]);
});

test("marks of learners without a grade are no reason to look first", () => {
  const absent = learner(1, "Anna", [markOf("1", 3, { unsure: true })], "absent");
  const differing = learner(2, "Ben", [decided("1", { second })]);
  assert.equal(whyLook([absent, differing]), "two markers differ.");
});

test("what new questions do to decided marks is said of one mark and of several", () => {
  const question = { questionNumber: "1", totalMarks: 12, description: "New", memo: "" };
  const effectsOf = (...marked: MarkedSubmission[]) => paperEffects([question], marked);
  const [anna, ben] = [learner(1, "Anna", [decided("1")]), learner(2, "Ben", [decided("1")])];
  assert.deepEqual(effectsOf(anna), [
    "Question 1 is out of 12 in place of 10: 1 decided mark stays as it is.",
    "Question 1 has another text: 1 decided mark stays as it is.",
  ]);
  assert.deepEqual(effectsOf(anna, ben), [
    "Question 1 is out of 12 in place of 10: 2 decided marks stay as they are.",
    "Question 1 has another text: 2 decided marks stay as they are.",
  ]);
  const again = "of 1 decided mark, 1 must be decided again";
  assert.deepEqual(paperEffects([{ ...question, totalMarks: 2 }], [anna]), [
    `Question 1 is out of 2 in place of 10: ${again}.`,
    `Question 1 has another text: ${again}.`,
  ]);
});

test("without a choice above it, a choice is the same, and with other questions it is another", () => {
  const lines = ["1 | 9 | A", "2 | 9 | B", "3 | 9 | C", "4 | 9 | D", "5 | 9 | E"];
  const paperOf = (...choices: string[]) =>
    readQuestionLines([...lines, ...choices].join("\n")).questions!;
  const marks = paperOf("choose 1: 1 2", "choose 1: 3 4").map(({ memo: _, ...question }) => ({
    ...decided(question.questionNumber),
    ...question,
  }));
  const effectsOf = (...choices: string[]) =>
    paperEffects(paperOf(...choices), [learner(1, "Anna", marks)]).map((one) => one.split(":")[0]);
  const another = (...numbers: number[]) =>
    numbers.map((one) => `Question ${one} counts in another choice`);
  assert.deepEqual(effectsOf("choose 1: 3 4"), another(1, 2));
  assert.deepEqual(effectsOf("choose 1: 1 2", "choose 1: 3 4 5"), another(3, 4, 5));
});

/** Marks of three questions, and new questions with a lower total for the first two and without the third. */
const shortened = {
  marks: [
    decided("1", { second: { ...second, marks: 5 } }),
    decided("2", { second }),
    markOf("3", null, { second }),
  ],
  paper: [
    { questionNumber: "1", totalMarks: 4, description: "", memo: "" },
    { questionNumber: "2", totalMarks: 2, description: "", memo: "" },
  ],
};

test("which proposals new questions take away is said", () => {
  const marks = [markOf("1", 5), markOf("2", 2), markOf("3", 3)];
  assert.deepEqual(paperEffects(shortened.paper, [learner(1, "Anna", marks)]), [
    "Question 1 loses 1 proposal.",
    "Question 3 goes, with 1 proposal.",
  ]);
});

test("which marks of a second marker new questions take away is said", () => {
  const { marks, paper } = shortened;
  assert.deepEqual(paperEffects(paper, [learner(1, "Anna", marks)]), [
    "Question 1 is out of 4 in place of 10: 1 decided mark stays as it is.",
    "Question 1 loses 1 mark of a second marker.",
    "Question 2 is out of 2 in place of 10: of 1 decided mark, 1 must be decided again.",
    "Question 3 goes, with 1 mark of a second marker.",
  ]);
});

test("new questions keep the marks of both markers that are not above their totals", () => {
  const after = marksOn(shortened.paper, shortened.marks);
  assert.deepEqual(column(after, "marksAwarded"), [3, null]);
  assert.deepEqual(column(after, "second"), [undefined, second]);
});

test("a sentence about open work names at most eight learners", () => {
  const many = Array.from({ length: 10 }, (_, index) =>
    learner(index, `L${index}`, [markOf("1", null)]),
  );
  assert.match(openWorkSentences(openIn(many))[0]!, /L7, question 1; and 2 more\.$/);
});

test("the files that a class list names are found in time linear in the list", () => {
  const classOfSize = (size: number) =>
    classOf(...Array.from({ length: size }, (_, index) => `learner-${index}.txt`)).learners;
  assertLinear(classOfSize, (learners) => {
    const listed = learners.map(({ number, name, fileName }) => ({ number, name, file: fileName }));
    const { plan } = planClassList(listed, { learners, unused: [] });
    assert.equal(plan!.learners.length, listed.length);
  });
});

test("files named by number and surname find their rows in time linear in the list", () => {
  const namesOfSize = (size: number) => Array.from({ length: size }, (_, index) => `S${index}`);
  assertLinear(namesOfSize, (names) => {
    const { learners } = classOf(...names.map((name, index) => `Test ${7000 + index} ${name}.pdf`));
    const listed = names.map((name, index) => ({
      number: String(7000 + index),
      name: `${name} T`,
      file: "",
    }));
    assert.equal(planClassList(listed, { learners, unused: [] }).plan!.unlisted.length, 0);
  });
});
