/** The class that every visitor may open. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "../../content/sample");

/** The results file of the sample. */
export const sample = JSON.parse(readFileSync(path.join(folder, "results.json"), "utf8"));

/** The names of the sample's submissions. */
export const sampleNames = readdirSync(path.join(folder, "submissions"));

/** The text of a file of the sample. */
export const sampleText = (name: string) => readFileSync(path.join(folder, name), "utf8");

/** The results file of the sample, with what its educator has decided. */
export function decidedSample() {
  const decided = structuredClone(sample);
  for (const { fileName, questionNumber, marks } of JSON.parse(sampleText("decisions.json"))) {
    decided.submissions
      .find((one: { fileName: string }) => one.fileName === fileName)
      .questionMarks.find(
        (one: { questionNumber: string }) => one.questionNumber === questionNumber,
      ).marksAwarded = marks;
  }
  return decided;
}
