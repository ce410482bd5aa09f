/** The marked scripts of a class as PDF files, for the command and for the team's page. */
import type { Store } from "#db/store.ts";
import type { ShownFile } from "../../domain/desk.ts";
import type { MarkedSubmission, Results } from "../../domain/result.ts";
import { unsignedNote } from "../../results/decision-progress.ts";
import type { ArchivedFile } from "../requests/request-archive.ts";
import { safeName } from "../requests/request-files.ts";
import { type ReadFile, scriptParts } from "../results/compose-script.ts";

/** Returns the submissions, each with the file name of the learner's script. */
export const namedScripts = ({ submissions, signed }: Results) =>
  submissions.map((submission, index) => {
    const { learnerNumber, studentName } = submission;
    const note = signed ? "" : ` - ${unsignedNote}`;
    return {
      submission,
      name: safeName(`${learnerNumber ?? index + 1} ${studentName}${note}.pdf`),
    };
  });

/**
 * Writes the script of a learner, with marks, comments and stamps.
 * @returns `pdf`: undefined if the process that writes it has failed. `missing`: the names of the learner's files that
 * are not in the PDF
 */
export async function writeLearnerScript(
  store: Pick<Store, "readFile">,
  results: Results,
  { submission, work }: { submission: MarkedSubmission; work: ShownFile[] },
): Promise<{ pdf: Buffer | undefined; missing: string[] }> {
  const { renderPdf } = await import("../../desk/render-file.ts");
  const files: ReadFile[] = [];
  for (const file of work) {
    const bytes = hasPages(file) ? (await store.readFile(file.fileId))! : null;
    files.push({ ...file, bytes });
  }
  const parts = scriptParts(results, submission, files);
  const pdf = await renderPdf(parts);
  const notShown = work.filter((file) => !hasPages(file) && file.rendered?.kind !== "paragraphs");
  if (pdf) return { pdf, missing: namesOf(notShown) };
  // Some files can be shown as pictures, but not copied into a PDF: write the script without pages.
  const rest = parts.filter((part) => "blocks" in part);
  return {
    pdf: await renderPdf(rest),
    missing: namesOf([...notShown, ...work.filter(hasPages)]),
  };
}

const hasPages = ({ rendered }: ShownFile) => rendered?.kind === "pages";
const namesOf = (files: ShownFile[]) => files.flatMap(({ name }) => name ?? []);

/** Returns the scripts for an archive, each written when it is read, then a list of any files that no script has. */
export async function archivedScripts(
  store: Pick<Store, "readFile" | "listScripts">,
  assessmentId: number,
  results: Results,
): Promise<ArchivedFile[]> {
  const works = await store.listScripts(assessmentId);
  const leftOut: string[] = [];
  const scripts = namedScripts(results).map(({ submission, name }) => ({
    name,
    async read() {
      const work = works.get(submission.learnerId!) ?? [];
      const { pdf, missing } = await writeLearnerScript(store, results, { submission, work });
      if (!pdf) leftOut.push(`${name} could not be written: try it again.\r\n`);
      else leftOut.push(...missing.map((file) => `${file} is not in ${name}: add it by hand.\r\n`));
      return pdf;
    },
  }));
  const note = async () => (leftOut.length > 0 ? Buffer.from(leftOut.join("")) : undefined);
  return [...scripts, { name: "not in the scripts.txt", read: note }];
}
