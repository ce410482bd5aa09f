import { counted } from "../../domain/counted.ts";
import { formatDayOf, zonedTime } from "../../domain/day.ts";
import type { Email, SummedUpRequest } from "../../domain/email.ts";
import type { MarkedSubmission } from "../../domain/result.ts";
import { formatBytes } from "../../forms/files.ts";
import type { Form } from "../../forms/form.ts";
import { progressOf } from "../../results/decision-progress.ts";
import {
  areChecked,
  peopleText,
  sentenceOfClass,
  type WhoDecided,
  whoDecided,
} from "../../results/who-decided.ts";
import { operatorCommand } from "../config/sources.ts";

/**
 * Max emails about requests within an hour; further requests are summed up in one email. A team reads fewer than one
 * a minute, and a flood from many addresses must not bury its other email.
 */
export const maxRequestEmailsPerHour = 60;

/**
 * An email that reports a request to the team. Its subject contains nothing that the visitor typed.
 * @param aim says by when the team replies, in the words that the sender has read; may be empty
 */
export function requestEmail(
  { fields, fileFields, email }: Pick<Form, "fields" | "fileFields" | "email">,
  request: {
    reference: string;
    /** The typed texts, by field. */
    typed: Record<string, string | undefined>;
    files: Record<string, { name: string; size: number }[]>;
    isTest: boolean;
  },
  { receivedAt, productName, aim }: { receivedAt: Date; productName: string; aim: string },
): Email {
  const { reference, typed, files, isTest } = request;
  const { subject, opening, details } = email!;
  const texts = Object.entries(fields).map(([name, { label, type }]) => {
    const text = typed[name] || "(not given)";
    return type === "paragraphs" ? `\n${label}:\n${quote(text)}` : row(label, text);
  });
  const lists = Object.entries(fileFields).map(([name, { label }]) => {
    const lines = (files[name] ?? []).map((file) => `  ${file.name} (${formatBytes(file.size)})`);
    return [`${label}:`, ...(lines.length > 0 ? lines : ["  (none)"])].join("\n");
  });
  const parts = [
    isTest && "This is a test from the page that tests the forms. No reply is needed.",
    [opening, aim && `The sender was told: “${aim}”`].filter(Boolean).join(" "),
    [
      row("Reference", reference),
      row("Received", zonedTime(receivedAt.toISOString())),
      ...texts,
    ].join("\n"),
    lists.length > 0 && lists.join("\n"),
    lists.length > 0 && filesHint(reference),
    "Reply to this email to answer the sender.",
  ];
  return {
    subject: [`${isTest ? "Test: " : ""}${productName} ${subject} ${reference}`, details?.(files)]
      .filter(Boolean)
      .join(": "),
    replyTo: typed.email!,
    body: `${parts.filter(Boolean).join("\n\n")}\n`,
  };
}

const filesHint = (reference: string) =>
  `To get the files, run this on the server:\n  ${operatorCommand} requests files ${reference} --tar - > ${reference}.tar`;

/**
 * The body of a request's email with the link and a note on attached files, if there are any, in place of `filesHint`.
 * In a body from an earlier release, which may have another hint, they are added at the end.
 */
export function withFiles(
  body: string,
  reference: string,
  { isAttached, link }: { isAttached: boolean; link: string | null },
): string {
  const parts = [link !== null && teamLinkText(link), isAttached && "The files are attached."];
  const instead = parts.filter(Boolean).join("\n\n");
  if (!instead) return body;
  const hint = filesHint(reference);
  return body.includes(hint) ? body.replace(hint, () => instead) : `${body}\n${instead}\n`;
}

const teamLinkText = (
  link: string,
) => `The next step is the page of this class: its files, the class list, markers, and the marks for the educator. “How marking works” on it is the guide, for markers too.
  ${link}
Anyone who has this link can publish the marks. Before you reply to the sender, take it out of the quoted text.`;

/** Marks each line as the visitor's, so that none reads as the program's own text. */
const quote = (text: string) =>
  text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");

/** Placeholder in an email's body; the private link replaces it when the email is sent. */
export const linkPlaceholder = "[private link]";

export interface Sender {
  productName: string;
  /** The address to which replies go. */
  team: string;
}

/** Returns an email in the product's name. Replies to it go to the team. */
export const fromTeam = <T extends Omit<Email, "replyTo">>(
  { productName, team }: Sender,
  { subject, ...email }: T,
) => ({ subject: `${productName}: ${subject}`, ...email, replyTo: team });

/** An email to the educator when the marks are published. Contains no marks and no learners' names. */
export function resultsEmail(
  results: Sender & {
    reference: string;
    recipient: string;
    submissions: readonly MarkedSubmission[];
    /** Whether the marks are signed already, as when a link that was lost is replaced. */
    isSigned: boolean;
    /** Number of learners for whom nothing is open, apart from questions to the lead. */
    complete: number;
    /** How many pages of scans belong to no learner yet. */
    problemPages: number;
    /** Name of the educator. */
    sender: string;
    /** Who checks proposals before they are published; may be empty. */
    reviewers: string;
    expiresAt: Date;
  },
): Email {
  const { reference, recipient, submissions, sender, expiresAt } = results;
  const who = whoDecided(submissions);
  const state = sentenceOfClass(who, { kind: "educator", educator: sender });
  const checked =
    results.reviewers && areChecked(submissions)
      ? ` What was proposed was checked or marked anew by ${results.reviewers}.`
      : "";
  const complete = completeSentence(results, who);
  return fromTeam(results, {
    subject: `your marked work ${reference}`,
    recipient,
    body: `Here are the marks of the work that you sent us under the reference ${reference}: the class on one page, each learner's marks, slips to print and files for a spreadsheet or gradebook.

${linkPlaceholder}

${state}${checked} ${complete} The final decision is yours. ${results.isSigned ? signedSteps : stepsOf(who)}

The link works until ${formatDayOf(expiresAt.toISOString())}. Anyone who has it can read and decide the marks, so please do not pass it on: reply to this email if a colleague needs a copy to read.

If a mark looks wrong, or you want to know more or send another class, reply to this email to reach our team.
`,
  });
}

const signedSteps = "The marks are signed: they can be changed once our team has reopened them.";

/** What the educator does next. */
function stepsOf({ total, decided, proposed }: WhoDecided): string {
  const desk = "The page leads to the marking desk, where you";
  if (decided === total) return `${desk} can change any mark. Then sign the marks on the page.`;
  return proposed > 0 && decided === 0
    ? `${desk} agree with a mark or change it. Sign the marks on the page when all are decided.`
    : `${desk} decide what is open and can change any mark. Sign the marks on the page when all are decided.`;
}

function completeSentence(
  results: Pick<Parameters<typeof resultsEmail>[0], "complete" | "problemPages" | "submissions">,
  { proposed }: WhoDecided,
): string {
  const { complete, problemPages, submissions } = results;
  const learners = submissions.length;
  const pages =
    problemPages > 0 &&
    `${counted(problemPages, "scanned page")} ${problemPages === 1 ? "belongs" : "belong"} to no learner yet.`;
  if (complete < learners) {
    const open = "a mark, a decision, the work or an absence is still open.";
    const sentence =
      learners === 1
        ? `The learner is not complete: ${open}`
        : `${complete} of ${learners} learners ${complete === 1 ? "is" : "are"} complete: of the others ${open}`;
    return pages ? `${sentence} ${pages}` : sentence;
  }
  if (pages) return pages;
  if (proposed > 0) return "No mark is missing.";
  const ungraded = submissions.filter(({ noGrade }) => noGrade).length;
  const without =
    ungraded === 0
      ? ""
      : `; ${ungraded} ${ungraded === 1 ? "has" : "have"} no grade: absent or unreadable`;
  return `${learners === 1 ? "The learner is" : `All ${learners} learners are`} complete${without}.`;
}

/** An email to a marker with the link to the marking desk. Contains no learners' names. */
export function markingEmail(
  link: Sender & { reference: string; marker: string; recipient: string; expiresAt: Date },
): Email {
  const { reference, marker, recipient, expiresAt } = link;
  return fromTeam(link, {
    subject: `work to mark ${reference}`,
    recipient,
    body: `You are asked to mark the work of a class, reference ${reference}. This private link opens it:

${linkPlaceholder}

It works until ${formatDayOf(expiresAt.toISOString())}. What you decide under it is recorded under your name, ${marker}, and anyone who has the link can mark as you: please do not pass it on. You need no account, and may stop and go on at any time. “How it works” on the desk says the rest.

If you have a question, reply to this email to reach our team.
`,
  });
}

/** An email to the team when an educator has signed the marks. */
export function signedEmail(
  signed: Sender & {
    reference: string;
    by: string;
    /** The submissions, with all marks decided. */
    submissions: readonly MarkedSubmission[];
    at: Date;
  },
): Email {
  const { reference, by, submissions, at } = signed;
  const { total, decidedProposals, changed, difference } = progressOf(submissions);
  const sign = difference > 0 ? "+" : "";
  return fromTeam(signed, {
    subject: `marks signed ${reference}`,
    body: `The marks of a request are signed. They are read-only from now on.

${[
  row("Reference", reference),
  row("Signed by", by),
  row("Signed", zonedTime(at.toISOString())),
  row("Marks", String(total)),
  row("Decided", peopleText(whoDecided(submissions), { kind: "team" })),
  decidedProposals > 0 &&
    row(
      "Proposals",
      `${decidedProposals}, ${changed > 0 ? `${changed} changed, by ${sign}${counted(difference, "mark")} in sum` : "none changed"}`,
    ),
]
  .filter(Boolean)
  .join("\n")}

To see every decision, run this on the server:
  ${operatorCommand} results history ${reference}
To let the educator change marks again, reopen them on the page of the class, or run:
  ${operatorCommand} results reopen ${reference}
`,
  });
}

/** An email to the team about what was done on its page. */
export function teamActionEmail(
  done: Sender & {
    reference: string;
    by: string;
    /** What was done, for the subject. */
    what: string;
    /** Follows “On the team's page,”. */
    done: string;
    at: string;
  },
): Email {
  const { reference, by, what, at } = done;
  return fromTeam(done, {
    subject: `${what} ${reference}`,
    body: `On the team's page, ${done.done}.

${[row("Reference", reference), row("By", by), row("Time", at)].join("\n")}

Anyone who has the link to that page can do this. To close it, run this on the server:
  ${operatorCommand} requests link ${reference} --close
`,
  });
}

/** Days before the end of a link to unsigned marks at which the educator is reminded. */
export const reminderDays = 5;

/** An email to the educator before a link to unsigned marks ends. */
export function reminderEmail(
  link: Sender & { reference: string; recipient: string; createdAt: Date; expiresAt: Date },
): Email {
  const { reference, recipient, createdAt, expiresAt } = link;
  return fromTeam(link, {
    subject: `your link to ${reference} ends soon`,
    recipient,
    body: `On ${formatDayOf(createdAt.toISOString())} we sent you a private link to the marks of your class, under the reference ${reference}. The marks are not signed yet, and the link ends on ${formatDayOf(expiresAt.toISOString())}.

What has been decided so far is kept. Please find the link in that email, decide what is open, if anything is, and sign the marks. If you need more time or have lost the link, reply to this email, and we will send you a new one.
`,
  });
}

/** An email to the educator when the team reopens signed marks. Contains no marks and no learners' names. */
export function reopenedEmail(
  marks: Sender & { reference: string; recipient: string; at: Date },
): Email {
  const { reference, recipient, at } = marks;
  return fromTeam(marks, {
    subject: `your signed marks ${reference} are reopened`,
    recipient,
    body: `The marks of the class that you sent us under the reference ${reference} were signed. On ${formatDayOf(at.toISOString())} our team reopened them: they are unsigned again, and can be changed. What was decided is kept.

Please find the private link in the email that brought you the marks: the page behind it shows the marks as they are now, and is where you sign them again. Files and slips that you took before may differ from them. If the link has ended or you have lost it, or to know why, reply to this email to reach our team.
`,
  });
}

/** An email that reports to the team how many requests were quarantined on a day. */
export function spamReportEmail(spam: Sender & { day: string; count: number }): Email {
  const { day, count } = spam;
  const requests = counted(count, "request");
  return fromTeam(spam, {
    subject: `${requests} in quarantine on ${day}`,
    body: `${requests} received on ${day} looked like spam and went into quarantine: stored, but not sent to you.

To see them, run this on the server:
  ${operatorCommand} requests list --spam
To take one out of quarantine and send its email:
  ${operatorCommand} requests not-spam REFERENCE
`,
  });
}

/** Placeholder in a summary's body; the requests replace it when the email is sent. */
const requestsPlaceholder = "[requests]";

/** An email to the team that stands for the emails about several requests. */
export function summaryEmail(sender: Sender): Email {
  return fromTeam(sender, {
    subject: "more requests, summed up",
    body: `You get at most ${maxRequestEmailsPerHour} emails about requests within an hour. These requests are stored like the others, but get no email of their own:

${requestsPlaceholder}

To see one, run this on the server:
  ${operatorCommand} requests show REFERENCE
To make the link to the page of a class:
  ${operatorCommand} requests link REFERENCE
To list all:
  ${operatorCommand} requests list
`,
  });
}

/** The body of a summary with the requests that it names. */
export function withRequests(body: string, requests: SummedUpRequest[]): string {
  const lines = requests.map(
    ({ reference, receivedAt, form, isTest }) =>
      `  ${reference}  ${zonedTime(receivedAt)}  ${form}${isTest ? " (test)" : ""}`,
  );
  if (lines.length === 0) lines.push("  (all deleted meanwhile)");
  return body.replace(requestsPlaceholder, () => lines.join("\n"));
}

const row = (label: string, text: string) => `${`${label}:`.padEnd(16)}${text}`;
