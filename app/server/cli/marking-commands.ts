import type { Command } from "commander";
import type { RenderReport } from "../../domain/class-jobs.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { ListedMarkingLink } from "../../domain/desk.ts";
import { differencesText } from "../../results/decision-progress.ts";
import { type DeskProgress, deskProgress } from "../../results/desk-progress.ts";
import { nameOf } from "../../results/who-decided.ts";
import {
  type ClassWork,
  defaultMarkingDays,
  isWorkError,
  type Work,
} from "../class-work/class-work.ts";
import type { OpenedMarking } from "../class-work/open-marking.ts";
import { CommandFailed, failed } from "./exit.ts";
import type { Installation, Opened } from "./installation.ts";
import { type Json, print, printable, printJson } from "./print.ts";
import { queueAndRender } from "./render-pages.ts";
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

export function addMarking(root: Command, { onStore }: Installation): void {
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
    .option("--days <number>", `days until the link ends (default: ${defaultMarkingDays})`)
    .option("--json", "print JSON")
    .action(onStore(open));
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

async function open(opened: Opened, typed: string, options: OpenOptions): Promise<void> {
  const { store } = opened;
  const config = await opened.readConfig();
  const target = await markingTargetOf(store, typed);
  const { result: marking, files } = await queueAndRender(opened, target.assessmentId, () =>
    openLink({ store, config, now: new Date() }, target, options),
  );
  reportOpened(target.reference, marking, files, options);
}

/** @throws CommandFailed if the link cannot be opened, or is open already */
async function openLink(
  work: Work,
  classWork: ClassWork,
  { names, second, ...rest }: OpenOptions,
): Promise<OpenedMarking> {
  const { openMarking } = await import("../class-work/open-marking.ts");
  const asked = { ...rest, showsNames: names === true, isSecond: second === true };
  const opened = await openMarking(work, classWork, asked, { fields: flags });
  if (isWorkError(opened)) throw failed(opened, whatToDo(classWork.reference));
  if (!opened.wasOpen) return opened;
  throw new CommandFailed(
    `${printable(opened.marker)} has an open link for ${rest.email} already. Nothing was sent. To send another, end that one first: ${closeCommand(classWork.reference, opened.marker)}.`,
  );
}

/** Prints the link, unless it is emailed, and how to end it. */
function reportOpened(
  reference: string,
  { marker, expiresAt, blind, url }: OpenedMarking,
  files: RenderReport[],
  { email, questions, learners, names, json }: OpenOptions,
): void {
  if (blind) {
    process.stderr.write(
      `${counted(blind.hidden, "learner")} of ${blind.learners} show no proposal to markers until decided.\n`,
    );
  }
  const until = expiresAt.toISOString();
  if (json) {
    printJson({
      reference,
      marker,
      email: email ?? null,
      link: email ? null : url,
      questions: questions ?? null,
      learners: learners ?? null,
      names: names === true,
      expiresAt: until,
      files,
    });
  } else if (!email) print(url);
  const who = printable(marker);
  const outcome = email
    ? `The link for ${who} is in the outbox.`
    : `Anyone who has this link can mark as ${who}.`;
  process.stderr.write(
    `${outcome} It works until ${zonedTime(until)}. To end it: ${closeCommand(reference, marker)}.\n`,
  );
}

/** The names of the options in error messages. */
const flags = {
  questions: "--questions",
  learners: "--learners",
  blind: "--blind",
  tolerance: "--tolerance",
  second: "--second",
  days: "--days",
};

const whatToDo = (reference: string) => ({
  "no questions":
    "Open a link without --questions and set them there, or import a sheet: results import.",
  "second marker": `Choose other --questions or --learners, or end that link first: marking close ${reference}, with --marker and the name.`,
});

/** Returns the command that ends a marker's links, with the name quoted for the shell. */
const closeCommand = (reference: string, marker: string) =>
  `marking close ${reference} --marker '${printable(marker).replaceAll("'", "'\\''")}'`;

async function list(
  { store }: Opened,
  typed: string | undefined,
  options: ListOptions,
): Promise<void> {
  const target = typed === undefined ? undefined : await markingTargetOf(store, typed);
  const links = await store.listMarkingLinks(target?.assessmentId, new Date());
  const header = "REFERENCE MARKER EMAIL STATE QUESTIONS LEARNERS UNTIL DECISIONS".split(" ");
  printList(
    {
      items: links.toReversed(),
      timeOf: ({ createdAt }) => createdAt,
      none: "No marking links.",
      header,
      cellsOf,
    },
    options,
  );
}

const cellsOf = (link: ListedMarkingLink) => [
  link.reference,
  link.marker,
  link.email,
  link.state,
  link.questions?.join(" ") ?? "all",
  link.learners?.length ?? "all",
  zonedTime(link.expiresAt),
  link.decisions,
];

async function close(
  { store }: Opened,
  typed: string,
  { marker, json }: Json & { marker?: string },
): Promise<void> {
  const target = await markingTargetOf(store, typed);
  const { reference } = target;
  const { closeMarking } = await import("../class-work/open-marking.ts");
  const closed = await closeMarking({ store, now: new Date() }, target, marker);
  if (json) printJson({ reference, closed });
  process.stderr.write(
    closed.length > 0
      ? `Request ${reference}: ${counted(closed.length, "link")} closed. What was decided stays.\n`
      : `Request ${reference} has no such open link; nothing was changed.\n`,
  );
}

async function progress({ store }: Opened, typed: string, { json }: Json): Promise<void> {
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
  return [
    countsText(done),
    ...done.questions.map((question) => `  ${question.questionNumber}  ${countsText(question)}`),
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

type Counts = Pick<DeskProgress, "decided" | "total" | "proposed">;

const countsText = ({ decided, total, proposed }: Counts) =>
  `${decided} of ${total} decided${proposed > 0 ? `, ${proposed} more proposed` : ""}`;
