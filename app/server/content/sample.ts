import file from "../../../content/sample/results.json";
import type { Results } from "../../domain/result.ts";
import { validateResultsFile } from "../../results/results-file.ts";

/** Where each file of the fictitious class is found, by its path below content/sample. */
const addresses = Object.entries(
  import.meta.glob<string>("../../../content/sample/**/*.txt", {
    query: "?url",
    import: "default",
    eager: true,
  }),
).map(([path, href]): [string, string] => [path.replace(/^.*?content\/sample\//, ""), href]);

/** The result that every visitor may open: judged as a team's own would be. */
export function sampleResults(): Results {
  const submissions = addresses.filter(([path]) => path.startsWith("submissions/"));
  const { results, faults } = validateResultsFile(
    file,
    submissions.map(([path]) => nameOf(path)),
  );
  if (faults) throw new Error(`The sample is no results file: ${faults.join("; ")}`);
  const others = addresses.filter((one) => !submissions.includes(one));
  return {
    ...results,
    sampleFiles: [...others, ...submissions].map(([path, href]) => ({ name: nameOf(path), href })),
  };
}

const nameOf = (path: string) => path.replace(/^.*\//, "");
