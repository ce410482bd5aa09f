/** How far the decisions of people agree with the marks that were proposed to them. */
import type { DecisionKind } from "../domain/decision.ts";
import type { QuestionMark, Results } from "../domain/result.ts";
import { proposalOf } from "./apply-decision.ts";

/** A proposed mark and the mark that a person decided, which may be the same. */
export interface DecidedProposal {
  /** Any number that is the same for all marks of a learner. */
  learner: number;
  /** Any text that is the same for all marks of a question of one class. */
  question: string;
  proposed: number;
  decided: number;
}

/**
 * A decided proposal of a class. Marks of release 1.0.0 do not say how they were decided: they count as decided one by
 * one.
 */
type KnownProposal = DecidedProposal & { questionNumber: string; how: DecisionKind | undefined };

/**
 * The decided proposals of learners who get a grade, in all the classes. A proposal has two entries if a second marker
 * has marked its answer too.
 */
export function decidedProposals(classes: readonly Results[]): KnownProposal[] {
  const learners = classes.flatMap(({ submissions }, index) =>
    submissions.flatMap(({ questionMarks, noGrade }) => (noGrade ? [] : { index, questionMarks })),
  );
  return learners.flatMap(({ index, questionMarks }, learner) =>
    questionMarks.flatMap((mark) => {
      const { questionNumber } = mark;
      const proposed = proposalOf(mark);
      if (proposed === null) return [];
      const proposal = {
        learner,
        question: `${index} ${questionNumber}`,
        questionNumber,
        proposed,
      };
      return decisionsOn(mark).map((decision) => ({ ...proposal, ...decision }));
    }),
  );
}

function decisionsOn(mark: QuestionMark): Pick<KnownProposal, "decided" | "how">[] {
  const { marksAwarded, proposedMarks, blindMarks, decision, second } = mark;
  const bySecond = second ? [{ decided: second.marks, how: "second" as const }] : [];
  if (proposedMarks == null) return bySecond;
  // Compare the marks first decided blind: later changes were made in view of the proposal.
  if (blindMarks !== undefined) return [{ decided: blindMarks, how: "blind" }, ...bySecond];
  return [{ decided: marksAwarded!, how: decision?.how }, ...bySecond];
}

/**
 * The groups of decided proposals, whose figures are never added up: decided one by one in view of the proposal,
 * decided without a view of it, agreed with as the rest of a learner in one press, and decided by a second marker.
 */
export const agreementGroups = ["shown", "blind", "withTheRest", "second"] as const;
export type AgreementGroup = (typeof agreementGroups)[number];

export const groupLabels: Record<AgreementGroup, string> = {
  shown: "decided one by one",
  blind: "decided blind",
  withTheRest: "agreed with the rest",
  second: "second marks",
};

const groupOfKind: Record<DecisionKind, AgreementGroup> = {
  agreed: "shown",
  changed: "shown",
  entered: "shown",
  rest: "withTheRest",
  blind: "blind",
  second: "second",
};

const groupOf = ({ how }: KnownProposal): AgreementGroup => (how ? groupOfKind[how] : "shown");

type GroupedProposals = Record<AgreementGroup, KnownProposal[]>;

/** The decided proposals of classes by how they were decided. */
export function groupedProposals(classes: readonly Results[]): GroupedProposals {
  const all = decidedProposals(classes);
  const groups = agreementGroups.map((name) => [name, all.filter((one) => groupOf(one) === name)]);
  return Object.fromEntries(groups);
}

/** How proposals, or other marks in their place, compare with the decided marks. */
export interface Comparison {
  /** How many marks equal the decided one. */
  exact: number;
  /** How many marks differ from the decided one by at most 1. */
  withinOne: number;
  /** Mean of decided less proposed marks; null without decisions. */
  meanDifference: number | null;
  /** Quadratic weighted kappa within questions; null where it is undefined. */
  kappa: number | null;
}

interface Compared extends Comparison {
  /** Number of decided proposals. */
  n: number;
  /** The same figures if the mean of each question's decided marks were the proposal for every answer. */
  ownMean: Comparison;
}

export interface Agreement extends Compared {
  /** The middle 95 % of kappa in resamples of the learners; null where kappa or the interval is undefined. */
  interval: [low: number, high: number] | null;
}

/** Lines of a table: first those of the whole class, whose `questionNumber` is null, then those of each question. */
export type ClassAgreement = (Compared & {
  questionNumber: string | null;
  group: AgreementGroup;
})[];

const compared = (proposals: readonly DecidedProposal[]): Compared => ({
  n: proposals.length,
  ...comparisonOf(proposals),
  ownMean: comparisonOf(withOwnMeans(proposals)),
});

/** The agreement with the proposals of a class that were decided one by one, for the class's page. */
export const oneByOneAgreement = (results: Results): Compared =>
  compared(groupedProposals([results]).shown);

/** The agreement of a class, then of its questions: a line for each group in which anything was decided. */
export function classAgreement(results: Results): ClassAgreement {
  const proposalsOf = groupedProposals([results]);
  const groups = agreementGroups.map((group) => {
    const all = proposalsOf[group];
    return { group, all, byQuestion: Map.groupBy(all, (one) => one.questionNumber) };
  });
  const linesOf = (questionNumber: string | null) =>
    groups.flatMap(({ group, all, byQuestion }) => {
      const proposals = questionNumber === null ? all : (byQuestion.get(questionNumber) ?? []);
      return proposals.length > 0 ? { questionNumber, group, ...compared(proposals) } : [];
    });
  const numbers = results.submissions[0]!.questionMarks.map((mark) => mark.questionNumber);
  return [null, ...numbers].flatMap(linesOf);
}

const resamples = 1000;

/** Measures the agreement. The interval is the same at every call: its resamples have a fixed seed. */
export function agreementOf(proposals: readonly DecidedProposal[]): Agreement {
  const all = compared(proposals);
  return { ...all, interval: all.kappa === null ? null : intervalOf(proposals) };
}

function comparisonOf(proposals: readonly DecidedProposal[]): Comparison {
  const differences = proposals.map(({ proposed, decided }) => decided - proposed);
  const count = (matches: (difference: number) => boolean) => differences.filter(matches).length;
  return {
    exact: count((difference) => difference === 0),
    withinOne: count((difference) => Math.abs(difference) <= 1),
    meanDifference: proposals.length === 0 ? null : meanOf(differences),
    kappa: kappaOf(proposals),
  };
}

/** The steps in which marks are given, the widest first. */
const steps = [1, 0.5, 0.25];

/** Proposes the mean of each question's decided marks, rounded to the widest step of which they all are multiples. */
function withOwnMeans(proposals: readonly DecidedProposal[]): DecidedProposal[] {
  const means = new Map(
    [...Map.groupBy(proposals, ({ question }) => question)].map(([question, all]) => {
      const marks = all.map(({ decided }) => decided);
      const step = steps.find((one) => marks.every((mark) => mark % one === 0)) ?? 0.25;
      return [question, Math.round(meanOf(marks) / step) * step];
    }),
  );
  return proposals.map((one) => ({ ...one, proposed: means.get(one.question)! }));
}

/** What kappa needs of the marks of a question. Sums of quarters and of their squares are exact. */
interface Sums {
  n: number;
  proposed: number;
  decided: number;
  decidedSquares: number;
  /** The sum of the squares of proposed and decided marks. */
  squares: number;
  squaredDifferences: number;
}

type Pair = Omit<DecidedProposal, "learner">;

function addPair(byQuestion: Map<string, Sums>, { question, proposed, decided }: Pair): void {
  const sums = byQuestion.get(question) ?? {
    n: 0,
    proposed: 0,
    decided: 0,
    decidedSquares: 0,
    squares: 0,
    squaredDifferences: 0,
  };
  byQuestion.set(question, sums);
  sums.n += 1;
  sums.proposed += proposed;
  sums.decided += decided;
  sums.decidedSquares += decided ** 2;
  sums.squares += proposed ** 2 + decided ** 2;
  sums.squaredDifferences += (proposed - decided) ** 2;
}

/**
 * Cohen's kappa with quadratic weights (Cohen 1968), within questions: 1 - observed / expected. `observed` is the sum
 * of squared differences, `expected` the sum that chance would give if the marks of each question were dealt anew among
 * its learners. Both are summed over questions before the division, so that knowing which question has more marks
 * counts for nothing. Null if no question has two distinct decided marks.
 */
export function kappaOf(pairs: readonly Pair[]): number | null {
  const sums = new Map<string, Sums>();
  for (const pair of pairs) addPair(sums, pair);
  return kappaFrom(sums);
}

function kappaFrom(questions: ReadonlyMap<string, Sums>): number | null {
  let observed = 0;
  let expected = 0;
  let isDefined = false;
  for (const one of questions.values()) {
    isDefined ||= one.n * one.decidedSquares > one.decided ** 2;
    observed += one.squaredDifferences;
    // This is n times the mean of (x - y)² over all pairs of a proposed mark x and a decided mark y.
    expected += one.squares - (2 * one.proposed * one.decided) / one.n;
  }
  return isDefined ? 1 - observed / expected : null;
}

/**
 * Percentiles 2.5 and 97.5 of kappa when the learners are drawn anew, with all their marks: the marks of
 * one learner depend on each other. Null with fewer than two learners, or if more than a twentieth of
 * the resamples have no kappa.
 */
function intervalOf(proposals: readonly DecidedProposal[]): [number, number] | null {
  const learners = [...Map.groupBy(proposals, ({ learner }) => learner).values()];
  if (learners.length < 2) return null;
  const random = randomNumbers(20_260_601);
  const kappas: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const sums = new Map<string, Sums>();
    for (const _ of learners) {
      for (const one of learners[Math.floor(random() * learners.length)]!) addPair(sums, one);
    }
    const kappa = kappaFrom(sums);
    if (kappa !== null) kappas.push(kappa);
  }
  if (kappas.length < resamples * 0.95) return null;
  kappas.sort((one, other) => one - other);
  const percentile = (share: number) => kappas[Math.round(share * (kappas.length - 1))]!;
  return [percentile(0.025), percentile(0.975)];
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns a generator of numbers from 0 to below 1 (mulberry32), always the same for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Formats a number with two decimals; one that rounds to 0 has no sign. */
export const twoDecimals = (value: number) => value.toFixed(2).replace(/^-(?=0\.00$)/, "");
export const signedDifference = (difference: number) =>
  `${Number(difference.toFixed(2)) > 0 ? "+" : ""}${twoDecimals(difference)}`;
export const kappaText = (kappa: number | null) =>
  kappa === null ? "undefined" : twoDecimals(kappa);
export const shareText = (count: number, n: number) =>
  `${count} (${Math.round((count * 100) / n)}%)`;
