import file from "../../../content/sample/results.json";
import type { Results } from "../../domain/result.ts";
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
  const others = urls.filter((entry) => !submissions.includes(entry));
  return {
    ...results,
    sampleFiles: [...others, ...submissions].map(([path, href]) => ({ name: nameOf(path), href })),
  };
}

const nameOf = (path: string) => path.replace(/^.*\//, "");
