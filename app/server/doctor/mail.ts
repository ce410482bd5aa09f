import { existsSync, statSync } from "node:fs";
import type { EmailCounts } from "#db/engine.ts";
import { examineDatabase } from "#db/sqlite/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { openTransport } from "../email/transport.ts";
import { maxPendingEmailMs } from "../http/health.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { webhookFindings } from "./webhook.ts";

/** Connects to the mail server and logs in, without sending an email. */
export async function checkMailServer({ mail }: Settings): Promise<Finding[]> {
  if (!mail) {
    const remedy = `set ${variableOf("MAIL_URL")} and ${variableOf("MAIL_TO")}`;
    return [warn("mail server", "not set: emails stay in the outbox", remedy)];
  }
  const transport = openTransport(mail.url);
  try {
    await transport.verify();
    return [ok("mail server", "ready to accept emails")];
  } catch (error) {
    const { message } = error as Error;
    const remedy = `check that it runs and that ${variableOf("MAIL_URL")} has its address, port, user name and password; then run ${program.command} mail test ADDRESS`;
    return [fail("mail server", `cannot be used: ${message}`, remedy)];
  } finally {
    transport.close();
  }
}

/** Checks the outbox of a file for failed emails and for emails that have been pending too long. */
export async function checkEmails(settings: Settings, now: Date): Promise<Finding[]> {
  const { databaseFile } = settings;
  if (!isDatabase(databaseFile)) return [];
  // An unreadable database is reported by checkDatabase.
  const examined = await examineDatabase(databaseFile).catch(() => undefined);
  return examined?.emails ? outboxFindings(examined.emails, settings, now) : [];
}

/** What the outbox says of emails and webhooks. */
export function outboxFindings(counts: EmailCounts, settings: Settings, now: Date): Finding[] {
  return [...emailFindings(counts, settings, now), ...webhookFindings(counts, settings, now)];
}

function emailFindings(
  { failed, lostLinks, pending, oldestPending }: EmailCounts,
  { mail }: Settings,
  now: Date,
): Finding[] {
  const ageMs = oldestPending ? now.getTime() - Date.parse(oldestPending) : 0;
  const found: Finding[] = [];
  if (failed > 0) {
    found.push(
      fail(
        "emails",
        failed === 1
          ? "1 failed: the team was not notified of this request"
          : `${failed} failed: the team was not notified of these requests`,
        `see the reason with ${program.command} outbox list, then run ${program.command} outbox retry or discard`,
      ),
    );
  }
  if (lostLinks > 0) {
    found.push(
      fail(
        "emails",
        lostLinks === 1
          ? "1 with a link to results failed: the educator was not notified"
          : `${lostLinks} with links to results failed: the educators were not notified`,
        `see the reason with ${program.command} outbox list, then run ${program.command} results publish REFERENCE, which creates a new email`,
      ),
    );
  }
  if (mail && ageMs > maxPendingEmailMs) {
    found.push(
      fail(
        "emails",
        `${pending} pending, the oldest for ${Math.round(ageMs / 3_600_000)} hours`,
        `see the reason with ${program.command} outbox list; the server sends them while it runs`,
      ),
    );
  }
  return found.length > 0 ? found : [ok("emails", `${pending} pending, none failed`)];
}

const isDatabase = (file: string) => existsSync(file) && statSync(file).isFile();
