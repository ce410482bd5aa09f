import type { Email } from "#db/operations/outbox.ts";
import { program } from "../../brand.ts";
import { type FileField, megabytes } from "../../forms/files.ts";
import type { TextFields } from "../../forms/text-fields.ts";

/**
 * To the team: somebody has sent something. The files themselves stay in the database. Nothing that a
 * visitor typed stands in the subject.
 */
export function requestEmail(request: {
  subject: string;
  /** Stands in the subject after the reference. */
  details?: string;
  opening: string;
  reference: string;
  receivedAt: Date;
  fields: TextFields;
  typed: { email: string };
  fileFields?: Record<string, FileField>;
  files?: Record<string, { name: string; size: number }[]>;
  isTest: boolean;
}): Email {
  const { subject, details, opening, reference, receivedAt, fields, isTest } = request;
  const { fileFields = {}, files = {} } = request;
  const typed = request.typed as Record<string, string | undefined>;
  const texts = Object.entries(fields).map(([name, { label, type }]) => {
    const text = typed[name] || "(not given)";
    return type === "paragraphs" ? `\n${label}:\n${text}` : row(label, text);
  });
  const lists = Object.entries(fileFields).map(([name, { label }]) => {
    const lines = (files[name] ?? []).map((file) => `  ${file.name} (${megabytes(file.size)})`);
    return [`${label}:`, ...(lines.length > 0 ? lines : ["  (none)"])].join("\n");
  });
  const parts = [
    isTest && "This is a test from the page that tests the forms. Nobody waits for an answer.",
    opening,
    [row("Reference", reference), row("Received", receivedAt.toISOString()), ...texts].join("\n"),
    lists.length > 0 && lists.join("\n"),
    lists.length > 0 &&
      `To get the files, on the machine that runs the service:\n  ${program.command} requests files ${reference} --out FOLDER`,
    "Answer by replying to this letter: it goes to the sender.",
  ];
  return {
    subject: [`${isTest ? "Test: " : ""}${subject} ${reference}`, details]
      .filter(Boolean)
      .join(": "),
    replyTo: request.typed.email,
    body: `${parts.filter(Boolean).join("\n\n")}\n`,
  };
}

/** Stands in a letter where the private link is put in as it is sent. */
export const linkPlaceholder = "[private link]";

/** To an educator: the marks are there. No marks and no learners' names stand in it. */
export function resultsEmail(results: {
  reference: string;
  recipient: string;
  team: string;
  productName: string;
  submissionCount: number;
  /** The last day on which the link opens. */
  expiresAt: Date;
}): Email {
  const { reference, recipient, team, productName, submissionCount, expiresAt } = results;
  const submissions = submissionCount === 1 ? "submission" : `${submissionCount} submissions`;
  return {
    subject: `${productName}: your marked work ${reference}`,
    recipient,
    replyTo: team,
    body: `The ${submissions} that you sent us under the reference ${reference} ${submissionCount === 1 ? "has" : "have"} been marked. Here are the marks, question by question:

${linkPlaceholder}

The link opens until ${dayInWords(expiresAt)} and is for you alone: whoever has it can read the marks. They are proposals; you decide what counts.

Answer by replying to this letter: it goes to our team.
`,
  };
}

const dayInWords = (day: Date) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Africa/Johannesburg" }).format(
    day,
  );

/** To the team: what went into quarantine on a day, so that nothing lies there unseen. */
export function spamReportEmail(spam: {
  day: string;
  count: number;
  team: string;
  productName: string;
}): Email {
  const { day, count, team, productName } = spam;
  const requests = count === 1 ? "1 request" : `${count} requests`;
  return {
    subject: `${productName}: ${requests} in quarantine on ${day}`,
    replyTo: team,
    body: `${requests} of ${day} looked like spam and went into quarantine: kept, but not sent to you.

To look at them, on the machine that runs the service:
  ${program.command} requests list --spam
To take one out, so that its letter is sent:
  ${program.command} requests not-spam REFERENCE
`,
  };
}

const row = (label: string, text: string) => `${`${label}:`.padEnd(16)}${text}`;
