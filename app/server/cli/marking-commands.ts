/** The links of the marking desk. */
import { randomInt } from "node:crypto";
import type { Command } from "commander";
import { newToken, type Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { ListedMarkingLink, PreparedClass } from "../../domain/desk.ts";
import { learnersIn, questionsIn } from "../../results/class-part.ts";
import { differencesText } from "../../results/decision-progress.ts";
import { type DeskProgress, deskProgress } from "../../results/desk-progress.ts";
import { readName } from "../../results/typed-decision.ts";
import { nameOf } from "../../results/who-decided.ts";
import { markingPath } from "../../site.ts";
import { noPublicUrl } from "../class-work/class-work.ts";
import { linkOrigin } from "../config/link-origin.ts";
import type { Config } from "../config/load-config.ts";
import * as rules from "../config/rules.ts";
import { markingEmail } from "../email/compose.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { whileRendered } from "./render-pages.ts";
import { requestOf } from "./requests.ts";
import { markingTargetOf } from "./results-io.ts";
import { addListFlags, type ListOptions, printList } from "./table.ts";

interface OpenOptions extends Json {
  marker: string;
  email?: string;
  questions?: string;
  learners?: string;
  names?: true;
  blind?: string;
  second?: true;
  tolerance?: string;
  days?: string;
}

/** Days after which a link ends, unless the request is deleted earlier. */
const defaultDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

export function addMarking(root: Command, { readConfig, onStore, withStore }: Installation): void {
  const marking = root
    .command("marking")
    .description("open the marking desk of a request to markers, by private links");
  marking
    .command("open <reference>")
    .description("render the pages, and print a marker’s private link or email it")
    .requiredOption("--marker <name>", "who marks; decisions are recorded under this name")
    .option("--email <address>", "email the link instead of printing it")
    .option("--questions <list>", "only these, such as 1-3 or 1.1,2")
    .option("--learners <list>", "only those with these numbers, such as 1-20")
    .option("--names", "show the learners’ names")
    .option(
      "--blind <percent>",
      "hide the proposals of so many learners, drawn once, until decided",
    )
    .option(
      "--second",
      "a second marker, whose marks do not count and who sees none of the first; one for each answer",
    )
    .option("--tolerance <marks>", "by how much the marks of both may differ (default: 0)")
    .option("--days <number>", `days until the link ends (default: ${defaultDays})`)
    .option("--json", "print JSON")
    .action((reference: string, options: OpenOptions) =>
      withStore(async (store) => open(store, reference, await readConfig(), options)),
    );
  addListFlags(
    marking
      .command("list [reference]")
      .description("list the links of one request or of all, newest first"),
  ).action(onStore(list));
  marking
    .command("close <reference>")
    .description("end the links of a request; what was decided stays")
    .option("--marker <name>", "only those of one marker")
    .option("--json", "print JSON")
    .action(onStore(close));
  marking
    .command("progress <reference>")
    .description("print how many answers are decided, by question and by person")
    .option("--json", "print JSON")
    .action(onStore(progress));
}

async function open(
  store: Store,
  typed: string,
  config: Config,
  options: OpenOptions,
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const { request } = await requestOf(store, reference);
  const { marker, email } = readOptions(options);
  const tolerance = toleranceOf(options);
  const blindShare = blindShareOf(options);
  const now = new Date();
  if (request.spam) {
    throw new CommandFailed(
      `Request ${reference} is in quarantine. Take it out first: requests not-spam.`,
    );
  }
  const origin = linkOrigin(config);
  if (!origin) throw new CommandFailed(noPublicUrl().error, exitCodes.configuration);
  const expiresAt = endOf(options.days, new Date(request.receivedAt), config, now);
  const prepared = await store.prepareDesk(assessmentId);
  const part = chosenPart(prepared, options);
  if (blindShare !== undefined) await drawBlind(store, assessmentId, prepared, blindShare);
  const token = newToken(256);
  const link = `${origin}${markingPath}?link=${token}`;
  const mail = email && {
    email: await composeEmail({ marker, recipient: email, expiresAt, reference }, config),
    ...{ link, reference, holdEmail: request.isTest },
  };
  const { names: showsNames = false } = options;
  const added = { token, marker, ...part, showsNames, tolerance, expiresAt };
  const { result: other, files } = await whileRendered(
    { store, dataDir: config.dataDir },
    assessmentId,
    () => store.addMarkingLink(assessmentId, added, mail || undefined, now),
  );
  if (other) {
    const name = printable(other.secondMarker);
    throw new CommandFailed(
      `${name} has an open link as the second marker of some of these answers, and an answer has one second marker. Choose other --questions or --learners, or end that link first: marking close ${reference} --marker "${name}".`,
    );
  }
  await store.openAudit("marking opened", now, reference);
  const until = expiresAt.toISOString();
  if (options.json) {
    const { questions, learners } = options;
    const shown = { questions: questions ?? null, learners: learners ?? null };
    printJson({
      ...{ reference, marker, email: email ?? null, link: email ? null : link },
      ...{ ...shown, names: showsNames, expiresAt: until, files },
    });
  } else if (!email) print(link);
  process.stderr.write(
    `${email ? `The link for ${printable(marker)} is in the outbox.` : `Anyone who has this link can mark as ${printable(marker)}.`} It works until ${zonedTime(until)}. To end it: marking close ${reference} --marker ${quoted(marker)}.\n`,
  );
}

/** A word of a shell's command. */
const quoted = (text: string) => `'${printable(text).replaceAll("'", "'\\''")}'`;

/** @throws CommandFailed if the name or the address is none */
function readOptions(options: OpenOptions): { marker: string; email: string | undefined } {
  const marker = readName(options.marker);
  if (typeof marker !== "string") throw new CommandFailed(marker.error, exitCodes.usage);
  const { email } = options;
  if (email !== undefined && !rules.email.safeParse(email).success) {
    throw new CommandFailed(`${printable(email)} is not an email address.`, exitCodes.usage);
  }
  return { marker, email };
}

/** By how much a second marker may differ; null for a first one. @throws CommandFailed */
function toleranceOf({ second, tolerance }: OpenOptions): number | null {
  if (tolerance !== undefined && !second) {
    throw new CommandFailed("--tolerance belongs to --second.", exitCodes.usage);
  }
  if (tolerance !== undefined && !/^\d{1,4}(\.(25|50?|75|00?))?$/.test(tolerance)) {
    throw new CommandFailed(
      "--tolerance takes marks in quarters, such as 0 or 1.5.",
      exitCodes.usage,
    );
  }
  return second ? Number(tolerance ?? 0) : null;
}

/** @throws CommandFailed if it is no percentage */
function blindShareOf({ blind }: OpenOptions): number | undefined {
  if (blind === undefined) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(blind) || Number(blind) > 100) {
    throw new CommandFailed(
      "--blind takes a percentage from 1 to 100, such as 10.",
      exitCodes.usage,
    );
  }
  return Number(blind) / 100;
}

/** Draws the learners whose proposals are hidden, at least one, and says how many there are. */
async function drawBlind(
  store: Store,
  assessmentId: number,
  { learners }: PreparedClass,
  share: number,
): Promise<void> {
  const left = learners.map(({ id }) => id);
  const count = Math.max(1, Math.round(left.length * share));
  const drawn = Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)[0]!);
  const hidden = await store.hideProposals(assessmentId, drawn);
  process.stderr.write(
    `${counted(hidden, "learner")} of ${learners.length} show no proposal to markers until decided.\n`,
  );
}

/** When the link ends. @throws CommandFailed if the request is deleted earlier than that was asked for */
function endOf(days: string | undefined, receivedAt: Date, { retentionDays }: Config, now: Date) {
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
    throw new CommandFailed("--days takes a whole number of days, from 1.", exitCodes.usage);
  }
  const deletedAt = receivedAt.getTime() + retentionDays * dayMs;
  const end = now.getTime() + Number(days ?? defaultDays) * dayMs;
  const left = Math.floor((deletedAt - now.getTime()) / dayMs);
  if (left < 1 || (days !== undefined && end > deletedAt)) {
    throw new CommandFailed(
      `The request is deleted on ${zonedTime(new Date(deletedAt).toISOString())}: a link to it can have ${left < 1 ? "no more days" : `at most ${counted(left, "day")}`}.`,
    );
  }
  return new Date(Math.min(end, deletedAt));
}

/** The questions and learners of a link. @throws CommandFailed if there are none */
function chosenPart(
  { questions, learners }: PreparedClass,
  options: OpenOptions,
): { questions: string[] | null; learners: number[] | null } {
  const numbers = questions.map(({ questionNumber }) => questionNumber);
  if (options.questions !== undefined && numbers.length === 0) {
    throw new CommandFailed(
      "There are no questions yet. Open a link without --questions and set them there, or import a sheet: results import.",
    );
  }
  const chosen = options.questions === undefined ? null : questionsIn(options.questions, numbers);
  const some =
    options.learners === undefined
      ? null
      : learnersIn(
          options.learners,
          learners.map(({ number }) => number),
        );
  for (const [flag, part] of Object.entries({ questions: chosen, learners: some })) {
    if (part && "error" in part) {
      throw new CommandFailed(`--${flag}: ${printable(part.error)}`, exitCodes.usage);
    }
  }
  return {
    questions: chosen as string[] | null,
    learners:
      some && learners.flatMap(({ id, number }) => ((some as string[]).includes(number) ? id : [])),
  };
}

async function composeEmail(
  link: { marker: string; recipient: string; expiresAt: Date; reference: string },
  config: Config,
) {
  const { teamAddress } = await import("../config/load-config.ts");
  return markingEmail({ ...link, team: teamAddress(config), productName: config.brand.name });
}

async function list(store: Store, typed: string | undefined, options: ListOptions): Promise<void> {
  const target = typed === undefined ? undefined : await markingTargetOf(store, typed);
  const links = await store.listMarkingLinks(target?.assessmentId, new Date());
  const header = ["REFERENCE", "MARKER", "EMAIL", "STATE", "QUESTIONS", "LEARNERS", "UNTIL"];
  printList(
    {
      items: links.toReversed(),
      timeOf: ({ createdAt }) => createdAt,
      none: "No marking links.",
      header: [...header, "DECISIONS"],
      cellsOf,
    },
    options,
  );
}

const cellsOf = (link: ListedMarkingLink) => [
  ...[link.reference, link.marker, link.email, link.state],
  link.questions?.join(" ") ?? "all",
  link.learners?.length ?? "all",
  ...[zonedTime(link.expiresAt), link.decisions],
];

async function close(
  store: Store,
  typed: string,
  { marker, json }: Json & { marker?: string },
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const now = new Date();
  const closed = await store.closeMarkingLinks(assessmentId, marker, now);
  if (closed.length > 0) await store.openAudit("marking closed", now, reference);
  if (json) printJson({ reference, closed });
  process.stderr.write(
    closed.length > 0
      ? `Request ${reference}: ${counted(closed.length, "link")} closed. What was decided stays.\n`
      : `Request ${reference} has no such open link; nothing was changed.\n`,
  );
}

async function progress(store: Store, typed: string, { json }: Json): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(store, typed);
  const results = await store.findImportedResults(assessmentId);
  if (!results) {
    throw new CommandFailed(
      `Request ${reference} has no questions yet. Set them on the desk (marking open) or import a sheet: results import.`,
    );
  }
  const done = deskProgress(results.submissions);
  if (json) printJson({ reference, title: results.title, ...done });
  else for (const line of progressLines(done)) print(line);
}

function progressLines(done: DeskProgress): string[] {
  const line = ({
    decided,
    total,
    proposed,
  }: Pick<DeskProgress, "decided" | "total" | "proposed">) =>
    `${decided} of ${total} decided${proposed > 0 ? `, ${proposed} more proposed` : ""}`;
  return [
    line(done),
    ...done.questions.map((question) => `  ${question.questionNumber}  ${line(question)}`),
    ...(done.differences > 0
      ? [`${differencesText(done.differences)}: the first mark counts until a person decides again`]
      : []),
    ...done.people.map((one) => `${nameOf(one, { kind: "team" })}  ${one.count}`),
    [
      counted(done.learners, "learner"),
      done.absent > 0 && `${done.absent} absent`,
      done.unreadable > 0 && `${done.unreadable} unreadable`,
    ]
      .filter(Boolean)
      .join(", "),
  ];
}
