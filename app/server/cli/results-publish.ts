import { publishResults, revokeResults } from "#db/operations/publication.ts";
import { newToken } from "#db/operations/result-links.ts";
import type { Db } from "#db/sqlite/open.ts";
import type { Config } from "../config/config.ts";
import { variableOf } from "../config/settings-table.ts";
import { resultsEmail } from "../email/compose.ts";
import { counted } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printJson } from "./print.ts";
import { requestOf } from "./requests-show.ts";
import { markingTargetOf } from "./results-import.ts";

/** Writes to the educator with a private link to the marks, once; the running server sends the letter within a minute. */
export async function resultsPublish(
  db: Db,
  typed: string,
  config: Config,
  { json }: { json?: true },
): Promise<void> {
  const { publicUrl, retentionDays, mail, brand } = config;
  const { reference, assessmentId, status, fileNames } = await markingTargetOf(db, typed);
  const { request } = await requestOf(db, reference);
  if (status === "pending" || status === "submitted") {
    throw new CommandFailed(`Request ${reference} has no marks yet; results import takes them in.`);
  }
  if (request.spam) {
    throw new CommandFailed(
      `Request ${reference} is in quarantine; requests not-spam takes it out.`,
    );
  }
  if (!publicUrl) {
    throw new CommandFailed(
      `Set ${variableOf("PUBLIC_URL")}: the link in the letter begins with it.`,
      exitCodes.configuration,
    );
  }
  const now = new Date();
  const token = newToken();
  const expiresAt = earlier(
    after(now, linkDays),
    after(new Date(request.receivedAt), retentionDays),
  );
  if (expiresAt <= now) {
    throw new CommandFailed(
      `Request ${reference} is older than ${counted(retentionDays, "day")}, after which requests are deleted.`,
    );
  }
  const email = resultsEmail({
    reference,
    recipient: request.email,
    team: mail?.to[0] ?? brand.email,
    productName: brand.name,
    submissionCount: fileNames.length,
    expiresAt,
  });
  const link = `${publicUrl}/?results=${token}#demo`;
  const publication = { reference, token, link, email, expiresAt, holdEmail: request.isTest };
  const open = await publishResults(db, assessmentId, publication, now);
  if (json) {
    const link = open ?? { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
    printJson({ reference, published: !open, ...link });
  }
  process.stderr.write(
    open
      ? `Request ${reference} is published already, since ${open.createdAt}; the link opens until ${open.expiresAt}.\n`
      : `Request ${reference} is published; the link opens until ${expiresAt.toISOString()}. ${deliveryNote(config, request.isTest)}\n`,
  );
}

/** Closes the link to the marks; what the educator has been told by letter stays told. */
export async function resultsRevoke(
  db: Db,
  typed: string,
  { json }: { json?: true },
): Promise<void> {
  const { reference, assessmentId } = await markingTargetOf(db, typed);
  if (!(await revokeResults(db, assessmentId, new Date()))) {
    throw new CommandFailed(`Request ${reference} has no open link.`);
  }
  if (json) printJson({ revoked: reference });
  process.stderr.write(`The link to the marks of request ${reference} is closed.\n`);
}

function deliveryNote({ mail }: Config, isTest: boolean): string {
  if (isTest) return "It is a test, so its letter is held back.";
  return mail
    ? "The letter goes out within a minute while the server runs."
    : `The letter waits until a mail server is set (${variableOf("MAIL_URL")}).`;
}

const linkDays = 30;
const after = (time: Date, days: number) => new Date(time.getTime() + days * 24 * 60 * 60 * 1000);
const earlier = (one: Date, other: Date) => (one < other ? one : other);
