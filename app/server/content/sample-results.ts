import decisions from "../../../content/sample/decisions.json";
import file from "../../../content/sample/results.json";
import { noTexts } from "../../domain/decision.ts";
import type { Results } from "../../domain/result.ts";
import { withDecision } from "../../results/decide-in-memory.ts";
import { validateResultsFile } from "../../results/results-file.ts";

/** URL of each file of the sample class, by its path below content/sample. */
const urls = Object.entries(
  import.meta.glob<string>("../../../content/sample/**/*.txt", {
    query: "?url",
    import: "default",
    eager: true,
  }),
).map(([path, href]): [string, string] => [path.replace(/^.*?content\/sample\//, ""), href]);

/** Returns the sample result that every visitor may open; validated like the team's own files. */
export function sampleResults(): Results {
  const submissions = urls.filter(([path]) => path.startsWith("submissions/"));
  const { results, errors } = validateResultsFile(
    file,
    submissions.map(([path]) => nameOf(path)),
  );
  if (errors) throw new Error(`content/sample/results.json is invalid: ${errors.join("; ")}`);
  const decided = decisions.reduce(
    (before, { fileName, questionNumber, ...given }) =>
      withDecision(before, {
        questionNumber,
        given: { ...noTexts, ...given },
        by: "the educator",
        at: "2026-06-03T12:00:00.000Z",
        learner: before.submissions.findIndex((one) => one.fileName === fileName),
      }),
    results,
  );
  const others = urls.filter((entry) => !submissions.includes(entry));
  return {
    ...decided,
    sampleFiles: [...others, ...submissions].map(([path, href]) => ({ name: nameOf(path), href })),
  };
}

const nameOf = (path: string) => path.replace(/^.*\//, "");
