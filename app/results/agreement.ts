/** How far the decisions of people agree with the marks that were proposed to them. */
import type { DecisionKind } from "../domain/decision.ts";
import type { Results } from "../domain/result.ts";

/** A proposed mark and the mark that a person decided in its place, or the same one. */
export interface DecidedProposal {
  /** Any number that is the same for all marks of a learner. */
  learner: number;
  questionNumber: string;
  proposed: number;
  decided: number;
}

/** The decided proposals of classes. Marks of release 1.0.0 do not say how they were decided. */
export function decidedProposals(
  classes: readonly Results[],
): (DecidedProposal & { how: DecisionKind | undefined })[] {
  const learners = classes.flatMap(({ submissions }) => submissions);
  return learners.flatMap(({ questionMarks }, learner) =>
    questionMarks.flatMap(
      ({ questionNumber, proposedMarks, marksAwarded, decision, blindMarks }) =>
        typeof proposedMarks === "number"
          ? {
              ...{ learner, questionNumber, proposed: proposedMarks },
              // What was changed in view of the proposal says nothing about agreement without it.
              decided: blindMarks ?? marksAwarded!,
              how: blindMarks === undefined ? decision?.how : "blind",
            }
          : [],
    ),
  );
}

export interface Agreement {
  /** Number of decided proposals. */
  n: number;
  /** How many decisions equal the proposal. */
  exact: number;
  /** How many differ by at most one mark. */
  withinOne: number;
  /** Mean of decided less proposed marks; null without decisions. */
  meanDifference: number | null;
  /** Quadratic weighted kappa; null where it is undefined. */
  kappa: number | null;
  /** The middle 95 % of kappa in resamples of the learners; null where kappa or the interval is undefined. */
  interval: [low: number, high: number] | null;
}

/** The counts of the proposals of a class that were decided one by one, for its page. */
export function agreementCounts(results: Results): Pick<Agreement, "n" | "exact" | "withinOne"> {
  const shown = decidedProposals([results]).filter(({ how }) => how !== "rest" && how !== "blind");
  const within = (marks: number) =>
    shown.filter(({ proposed, decided }) => Math.abs(decided - proposed) <= marks).length;
  return { n: shown.length, exact: within(0), withinOne: within(1) };
}

const resamples = 1000;

/** Measures the agreement. The interval is the same at every call: its resamples have a fixed seed. */
export function agreementOf(proposals: readonly DecidedProposal[]): Agreement {
  const differences = proposals.map(({ proposed, decided }) => decided - proposed);
  const count = (matches: (difference: number) => boolean) => differences.filter(matches).length;
  const kappa = kappaOf(proposals);
  return {
    n: proposals.length,
    exact: count((difference) => difference === 0),
    withinOne: count((difference) => Math.abs(difference) <= 1),
    meanDifference: proposals.length === 0 ? null : meanOf(differences),
    kappa,
    interval: kappa === null ? null : intervalOf(proposals),
  };
}

/**
 * Cohen's kappa with quadratic weights (Cohen 1968): one less the mean squared difference, as a part
 * of the one that chance would give. Null if chance gives none: both sides are one and the same mark.
 */
export function kappaOf(pairs: readonly { proposed: number; decided: number }[]): number | null {
  if (pairs.length === 0) return null;
  const proposed = pairs.map((pair) => pair.proposed);
  const decided = pairs.map((pair) => pair.decided);
  const observed = meanOf(pairs.map((pair) => (pair.proposed - pair.decided) ** 2));
  // The mean of (x - y)² over all pairs of an x and a y.
  const expected =
    varianceOf(proposed) + varianceOf(decided) + (meanOf(proposed) - meanOf(decided)) ** 2;
  return expected === 0 ? null : 1 - observed / expected;
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
    const drawn = learners.flatMap(() => learners[Math.floor(random() * learners.length)]!);
    const kappa = kappaOf(drawn);
    if (kappa !== null) kappas.push(kappa);
  }
  if (kappas.length < resamples * 0.95) return null;
  kappas.sort((one, other) => one - other);
  const percentile = (part: number) => kappas[Math.round(part * (kappas.length - 1))]!;
  return [percentile(0.025), percentile(0.975)];
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return meanOf(values.map((value) => (value - mean) ** 2));
}

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
