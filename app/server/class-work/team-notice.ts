/** Emails that tell the team what was done on its page of a request. */
import { zonedTime } from "../../domain/day.ts";
import type { Email } from "../../domain/email.ts";
import type { NameExport } from "../../domain/team.ts";
import { senderOf } from "../config/load-config.ts";
import { teamActionEmail } from "../email/compose.ts";
import type { ClassWork, Work } from "./class-work.ts";

/** What was done: `what` for the email's subject, `done` for its body, after “On the team's page,”. */
type Done = Pick<Parameters<typeof teamActionEmail>[0], "what" | "done">;

/** Who acts. Without `config` or `by` it is a command, about which the team gets no email. */
export type Actor = Pick<Work, "store" | "now" | "by"> & Partial<Pick<Work, "config">>;

/** The email about what a person did; undefined for commands. */
export function teamNoticeOf(
  { config, now, by }: Actor,
  { reference }: ClassWork,
  done: Done,
): { email: Email; reference: string } | undefined {
  if (!config || !by) return undefined;
  const email = teamActionEmail({
    reference,
    by,
    ...done,
    at: zonedTime(now.toISOString()),
    ...senderOf(config),
  });
  return { email, reference };
}

/** Recorded as the name of who downloads a file, because a download does not ask for a name. */
const holder = "a person with the link";

const exported: Record<NameExport, string> = {
  "names exported": "marks or the class list of a request were downloaded as a file with names",
  "files exported": "all files of a request were downloaded",
  "scripts exported": "the marked scripts of a request were downloaded",
  "sheet filled": "the marks of a request were filled into a sheet of the school",
};

/**
 * Records an export of names, and emails the team about it. Within an hour, a repeated export of one kind under one
 * name is neither recorded nor emailed; all downloads have the same name.
 */
export async function tellOfExport(
  work: Pick<Work, "store" | "now" | "config" | "by">,
  classWork: ClassWork,
  action: NameExport,
): Promise<void> {
  const by = work.by ?? holder;
  const done = { what: "names exported", done: exported[action] };
  const { email } = teamNoticeOf({ ...work, by }, classWork, done)!;
  const { assessmentId, reference } = classWork;
  const entry = { reference, action, by, email };
  await work.store.recordTeamExport(assessmentId, entry, work.now);
}
