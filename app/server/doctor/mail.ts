import { existsSync, statSync } from "node:fs";
import { examineDatabase } from "#db/sqlite/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { openTransport } from "../email/transport.ts";
import { maxPendingEmailMs } from "../http/health.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Speaks with the mail server, up to the point where a letter would follow. */
export async function checkMailServer({ mail }: Settings): Promise<Finding[]> {
  if (!mail) {
    const remedy = `set ${variableOf("MAIL_URL")} and ${variableOf("MAIL_TO")}`;
    return [warn("mail server", "none is set: letters wait", remedy)];
  }
  const transport = openTransport(mail.url, mail.timeoutMs);
  try {
    await transport.verify();
    return [ok("mail server", "it would take letters")];
  } catch (error) {
    const { message } = error as Error;
    const remedy = `see that it runs, and that ${variableOf("MAIL_URL")} has its address, port, name and password; then: ${program.command} mail test ADDRESS`;
    return [fail("mail server", `it takes none: ${message}`, remedy)];
  } finally {
    transport.close();
  }
}

export async function checkEmails({ mail, databaseFile }: Settings, now: Date): Promise<Finding[]> {
  if (!isDatabase(databaseFile)) return [];
  // What is wrong with a database that has no letters to tell of has been told already.
  const examined = await examineDatabase(databaseFile).catch(() => undefined);
  if (!examined?.emails) return [];
  const { failed, lostLinks, pending, oldestPending } = examined.emails;
  const ageMs = oldestPending ? now.getTime() - Date.parse(oldestPending) : 0;
  const found: Finding[] = [];
  if (failed > 0) {
    found.push(
      fail(
        "letters",
        failed === 1
          ? "1 was given up: the team was never told of this request"
          : `${failed} were given up: the team was never told of these requests`,
        `see why with ${program.command} outbox list, then ${program.command} outbox retry or discard`,
      ),
    );
  }
  if (lostLinks > 0) {
    found.push(
      fail(
        "letters",
        lostLinks === 1
          ? "1 with a link to marks was given up: the educator was never told"
          : `${lostLinks} with links to marks were given up: the educators were never told`,
        `see why with ${program.command} outbox list, then ${program.command} results publish REFERENCE, which writes another letter`,
      ),
    );
  }
  if (mail && ageMs > maxPendingEmailMs) {
    found.push(
      fail(
        "letters",
        `${pendingOf(pending)}, the oldest for ${Math.round(ageMs / 3_600_000)} hours`,
        `see why with ${program.command} outbox list; they are sent while the server runs`,
      ),
    );
  }
  return found.length > 0 ? found : [ok("letters", `${pendingOf(pending)}, none was given up`)];
}

const pendingOf = (count: number) => (count === 1 ? "1 waits" : `${count} wait`);

const isDatabase = (file: string) => existsSync(file) && statSync(file).isFile();
