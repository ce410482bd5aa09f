/** Proposals for a class from a sheet or JSON, for the command and for the team's page. */
import { counted } from "../../domain/counted.ts";
import type { ImportedQuestion, ImportOutcome, ImportTarget } from "../../domain/publication.ts";
import type { ImportOptions } from "../../results/import-over.ts";
import { readCsv } from "../../results/read-csv.ts";
import { pointWarnings, type TypedPoint } from "../../results/read-points.ts";
import { type LearnerKeys, validateResultsFile } from "../../results/results-file.ts";
import { readSheet } from "../../results/results-sheet.ts";
import type { ClassWork, Work } from "./class-work.ts";

/** The text of a sheet, or a parsed JSON value. */
export type ProposalsContent = { sheet: string } | { json: unknown };

/** Whether a text begins as a JSON object does, and not as a sheet. */
export const isJson = (text: string): boolean => /^\s*\{/.test(text);

type Stored = Extract<ImportOutcome, { outcome: "imported" }>;

export type ImportedProposals =
  /** `cleaned` has a sentence for each text from which characters were removed. */
  | (Stored & { cleaned: string[] })
  | Exclude<ImportOutcome, Stored>
  /** Every error, with its path in the JSON or its row and column in the sheet. */
  | { outcome: "invalid"; errors: string[] };

/**
 * Stores proposals, unless there are errors or conflicts, or the marks are signed. Returns a preview instead if
 * `seenVersion` is given and differs from the version that a preview has now; "" always differs.
 * @param options.proposedBy replaces what the file says
 */
export async function importProposals(
  { store, now, by }: Pick<Work, "store" | "now" | "by">,
  { assessmentId, reference }: ClassWork,
  content: ProposalsContent,
  options: ImportOptions & { keys?: LearnerKeys; proposedBy?: string },
): Promise<ImportedProposals> {
  const target = await store.findImportTarget(assessmentId);
  const { imported, errors, cleaned } = readContent(content, target, options);
  if (errors) return { outcome: "invalid", errors };
  const outcome = await store.importResults(assessmentId, imported, now, options);
  if (outcome.outcome !== "imported") return outcome;
  const { results, isRepeated } = outcome;
  if (results && !isRepeated) await store.openAudit("results imported", now, reference, by);
  return { ...outcome, cleaned };
}

function readContent(
  content: ProposalsContent,
  target: ImportTarget,
  { keys, proposedBy, replaces }: ImportOptions & { keys?: LearnerKeys; proposedBy?: string },
): ReturnType<typeof validateResultsFile> {
  const validate = (json: unknown) =>
    // A value that is no object becomes an object without `submissions`, which is rejected too.
    validateResultsFile(
      proposedBy === undefined ? json : { ...(json as object), proposedBy },
      target,
      { keys, replaces },
    );
  if ("json" in content) return validate(content.json);
  const { error, json, placeOf } = readSheet(readCsv(content.sheet));
  if (error !== undefined) return { errors: [error] };
  const inSheet = (message: string) => {
    const end = message.indexOf(": ");
    return placeOf(message.slice(0, end)) + message.slice(end);
  };
  const { errors, imported, cleaned } = validate(json);
  return errors
    ? { errors: [...new Set(errors.map(inSheet))] }
    : { imported, cleaned: cleaned.map(inSheet) };
}

/** Returns sentences about the points that were read from a memo, and about what is doubtful in them. */
export const memoSentences = ({ questionNumber, totalMarks, memoPoints = [] }: ImportedQuestion) =>
  [
    memoPoints.length === 0
      ? "the memo has no points, as no part of it ends in a worth such as (1)"
      : `${counted(memoPoints.length, "point")} for ${counted(totalMarks, "mark")}: ${pointsText(memoPoints)}`,
    ...pointWarnings(memoPoints, totalMarks),
  ].map((text) => `question ${questionNumber}: ${text}`);

const pointsText = (points: readonly TypedPoint[]) =>
  points.map(({ text, worth }) => `${text} (${worth})`).join("; ");

/** How many proposals an import has stored, or would store. */
export function countSentences(stored: Omit<Stored, "outcome">): string[] {
  const { proposals, learners, replaced, decided, discardedDecisions, proposedBy } = stored;
  const by = proposedBy ? `, proposed by ${proposedBy}` : "";
  const stayed = decided - discardedDecisions;
  if (proposals + discardedDecisions === 0) return ["No proposal is new or another."];
  return [
    `${counted(proposals, "proposal")} of ${counted(learners, "learner")} ${stored.results ? "" : "would be "}${replaced ? "changed" : "stored"}${by}.`,
    ...(replaced ? ["What was replaced is archived; links stay open."] : []),
    ...(stayed > 0 ? [`${counted(stayed, "decided mark")} stayed.`] : []),
    ...(discardedDecisions > 0
      ? [`${counted(discardedDecisions, "decided mark")} discarded; results history has them.`]
      : []),
  ];
}
