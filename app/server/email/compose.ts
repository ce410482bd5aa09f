import { program } from "../../brand.ts";
import type { Email } from "../../domain/email.ts";
import { type FileField, formatBytes } from "../../forms/files.ts";
import type { TextFields } from "../../forms/text-fields.ts";

/**
 * An email that reports a request to the team. It has no attachments, and its subject contains
 * nothing that the visitor typed.
 */
export function requestEmail(request: {
  subject: string;
  /** Follows the reference in the subject. */
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
    const lines = (files[name] ?? []).map((file) => `  ${file.name} (${formatBytes(file.size)})`);
    return [`${label}:`, ...(lines.length > 0 ? lines : ["  (none)"])].join("\n");
  });
  const parts = [
    isTest && "This is a test from the page that tests the forms. No reply is needed.",
    opening,
    [row("Reference", reference), row("Received", receivedAt.toISOString()), ...texts].join("\n"),
    lists.length > 0 && lists.join("\n"),
    lists.length > 0 &&
      `To get the files, run this on the server:\n  ${program.command} requests files ${reference} --out FOLDER`,
    "Reply to this email to answer the sender.",
  ];
  return {
    subject: [`${isTest ? "Test: " : ""}${subject} ${reference}`, details]
      .filter(Boolean)
      .join(": "),
    replyTo: request.typed.email,
    body: `${parts.filter(Boolean).join("\n\n")}\n`,
  };
}

/** Placeholder in an email's body; the private link replaces it when the email is sent. */
export const linkPlaceholder = "[private link]";

/**
 * An email to the educator when the marks are ready. Contains no marks and no learners' names.
 */
export function resultsEmail(results: {
  reference: string;
  recipient: string;
  team: string;
  productName: string;
  submissionCount: number;
  /** When the link expires. */
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

The link opens until ${formatDay(expiresAt)}. Anyone who has it can read the marks, so please do not pass it on. The marks are proposals: the final decision is yours.

If you have a question, reply to this email to reach our team.
`,
  };
}

const formatDay = (day: Date) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Africa/Johannesburg" }).format(
    day,
  );

/** An email that reports to the team how many requests were quarantined on a day. */
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
    body: `${requests} received on ${day} looked like spam and went into quarantine: stored, but not sent to you.

To see them, run this on the server:
  ${program.command} requests list --spam
To take one out of quarantine and send its email:
  ${program.command} requests not-spam REFERENCE
`,
  };
}

const row = (label: string, text: string) => `${`${label}:`.padEnd(16)}${text}`;
