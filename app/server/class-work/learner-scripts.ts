/** The marked scripts of a class as PDF files, for the command and for the team's page. */
import type { Store } from "#db/store.ts";
import type { ShownFile } from "../../domain/desk.ts";
import type { MarkedSubmission, Results } from "../../domain/result.ts";
import { unsignedMark } from "../../results/decision-progress.ts";
import type { ArchivedFile } from "../requests/request-archive.ts";
import { safeName } from "../requests/request-files.ts";
import { scriptJob } from "../results/compose-script.ts";

/** The file names of the learners' scripts, in the order of the class. */
export const scriptNames = ({ submissions, signed }: Results): string[] =>
  submissions.map(({ learnerNumber, studentName }, index) =>
    safeName(
      `${learnerNumber ?? index + 1} ${studentName}${signed ? "" : ` - ${unsignedMark}`}.pdf`,
    ),
  );

/**
 * Writes the script of a learner, with marks, comments and stamps.
 * @returns the PDF, and the names of files that are not in it; each has to be opened itself
 */
export async function writeLearnerScript(
  store: Pick<Store, "readFile">,
  results: Results,
  { submission, work }: { submission: MarkedSubmission; work: ShownFile[] },
): Promise<{ pdf: Buffer; missing: string[] }> {
  const { writeScriptFile } = await import("../../desk/render-file.ts");
  const { job, fileIds } = scriptJob(results, submission, work);
  const files: Buffer[] = [];
  for (const part of job.parts) {
    if (!("fileBytes" in part)) continue;
    const bytes = (await store.readFile(fileIds[files.length]!))!;
    part.fileBytes = bytes.length;
    files.push(bytes);
  }
  const missing = work.flatMap(({ name, rendered }) =>
    rendered?.kind === "pages" || rendered?.kind === "paragraphs" ? [] : (name ?? []),
  );
  const pdf = await writeScriptFile(job, files);
  if (pdf) return { pdf, missing };
  // A file that can be shown and not copied: its learner gets the rest.
  missing.push(
    ...work.flatMap(({ name, rendered }) => (rendered?.kind === "pages" ? (name ?? []) : [])),
  );
  const parts = job.parts.filter((part) => "blocks" in part);
  return { pdf: (await writeScriptFile({ parts }, []))!, missing };
}

/** The scripts for an archive, each written when it is read. A text after them lists the files that are in none, if any. */
export async function archivedScripts(
  store: Pick<Store, "readFile" | "listScripts">,
  assessmentId: number,
  results: Results,
): Promise<ArchivedFile[]> {
  const works = await store.listScripts(assessmentId);
  const left: string[] = [];
  const scripts = scriptNames(results).map((name, index) => ({
    name,
    async read() {
      const of = { submission: results.submissions[index]!, work: works[index]! };
      const { pdf, missing } = await writeLearnerScript(store, results, of);
      left.push(...missing.map((file) => `${file} is not in ${name}: add it by hand.\r\n`));
      return pdf;
    },
  }));
  const note = async () => (left.length > 0 ? Buffer.from(left.join("")) : undefined);
  return [...scripts, { name: "not in the scripts.txt", read: note }];
}
