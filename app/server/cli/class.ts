import type { Command } from "commander";
import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { matchClassList, readClassList } from "../../results/class-list.ts";
import { readCsv } from "../../results/read-csv.ts";
import { addScans } from "./class-scans.ts";
import { CommandFailed } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printJson } from "./print.ts";
import { markingTargetOf, readText, reportErrors } from "./results-io.ts";

interface Options extends Json {
  add?: true;
  only?: true;
}

export function addClass(root: Command, installation: Installation): void {
  const group = root
    .command("class")
    .description("who the learners of a request are, and whose the pages of a scan");
  group
    .command("list <reference> <list>")
    .description("give learners their numbers and names from a CSV file (- for stdin)")
    .option("--add", "add those without a file")
    .option("--only", "also remove those who are not on the list and have no decided mark")
    .option("--json", "print JSON")
    .action(installation.onStore(nameLearners));
  addScans(group, installation);
}

async function nameLearners(
  store: Store,
  typed: string,
  file: string,
  { add, only, json }: Options,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const { learners, errors } = readClassList(readCsv(await readText(file)));
  if (errors) {
    reportErrors(errors, json);
    throw new CommandFailed(`${file} has ${counted(errors.length, "error")}; nothing was changed.`);
  }
  const before = await store.prepareDesk(assessmentId);
  const { found, missing } = matchClassList(learners, before.learners);
  const named = add ? [...found, ...missing] : found;
  await store.nameLearners(
    assessmentId,
    named.map(({ file: _, ...learner }) => learner),
    { removesOthers: only === true },
  );
  const after = (await store.prepareDesk(assessmentId)).learners;
  const unlisted = after.filter(({ number }) => !named.some((one) => one.number === number));
  if (json) printJson({ reference, learners: after, missing: add ? [] : missing, unlisted });
  else for (const { number, name, fileName } of after) print(`${number}  ${name}  ${fileName}`);
  process.stderr.write(
    [
      `${counted(found.length, "learner")} named.`,
      missing.length > 0 &&
        (add
          ? `${counted(missing.length, "learner")} added.`
          : `On the list without a file: ${missing.map(({ name }) => name).join(", ")}. To add them: --add.`),
      unlisted.length > 0 &&
        `Not on the list: ${unlisted.map(({ fileName }) => fileName).join(", ")}.`,
    ]
      .filter(Boolean)
      .join("\n")
      .concat("\n"),
  );
}
