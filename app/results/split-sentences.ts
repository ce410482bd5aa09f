/** What scans were cut into, for people. */
import { counted } from "../domain/counted.ts";
import type { SplitReport } from "../domain/scan-upload.ts";
import { listSentence } from "./class-changes.ts";

/** A sentence for each kind of finding that there is, then one for each page that belongs to no learner. */
export function splitSentences(report: Omit<SplitReport, "scripts">, scripts: number): string[] {
  const { problems, blank, splitBefore } = report;
  const placesOf = (pages: { scan: string; page: number }[]) =>
    pages.map(({ scan, page }) => `${scan} page ${page}`);
  return [
    ...listSentence(
      "Split before, and left as it is",
      splitBefore,
      " Problem pages that it has are on the desk.",
    ),
    `${counted(scripts, "script")}, ${counted(problems.length, "problem page")}.`,
    ...listSentence(
      "No cover sheet was found for",
      report.missing,
      " If one of them wrote, the pages are with those that were above in the stack.",
    ),
    ...listSentence("Compare the length of these scripts", report.longer),
    ...listSentence("More than one cover sheet, or work before", report.double),
    ...listSentence("Cover sheets with a number that no learner has", report.unknown),
    ...listSentence("Nothing under the cover sheet, perhaps absent", report.withoutPages),
    ...listSentence("Blank pages, which are kept", placesOf(blank)),
    ...problems.map(({ scan, page, reason }) => `${scan} page ${page} ${reason}.`),
  ];
}
