/** What the link to the team's page of a request opens. */
import { and, asc, desc, eq, gt } from "drizzle-orm";
import { hourMs } from "../../app/domain/duration.ts";
import type { Email } from "../../app/domain/email.ts";
import type { NameExport, TeamRequest } from "../../app/domain/team.ts";
import { pick, type Tx } from "../operation.ts";
import { audit, imports, teamActions, uploadedFiles } from "../schema.ts";
import { addTeamNotice } from "./add-to-outbox.ts";
import { progressOfClass } from "./answers.ts";
import { lockAssessment, signatureOf } from "./class-rows.ts";
import { titleOf } from "./desk.ts";
import { openAudit } from "./erasure.ts";
import { hasReadingCopy, openLinkOf } from "./result-links.ts";
import { teamLinkOf } from "./team-links.ts";

/** The request that a token opens; undefined if the token is unknown or closed. */
export async function findTeamRequest(
  tx: Tx,
  token: string,
  now: Date,
): Promise<TeamRequest | undefined> {
  const found = await teamLinkOf(tx, token);
  if (!found) return undefined;
  const { contactRequestId, ...request } = found;
  const { assessmentId } = request;
  const signed = await signatureOf(tx, assessmentId);
  return {
    ...request,
    title: await titleOf(tx, assessmentId),
    progress: await progressOfClass(tx, assessmentId),
    ...(signed && { signed }),
    resultsLink: (await openLinkOf(tx, assessmentId, now)) ?? null,
    hasReadingCopy: await hasReadingCopy(tx, assessmentId, now),
    files: await tx
      .select(pick(uploadedFiles, "id", "field", "name", "size"))
      .from(uploadedFiles)
      .where(eq(uploadedFiles.contactRequestId, contactRequestId))
      .orderBy(asc(uploadedFiles.id)),
    history: await historyOf(tx, request),
  };
}

/** Maximum number of entries of the history on the page, which has the newest. The audit table has all. */
const maxEvents = 200;

async function historyOf(
  tx: Tx,
  { reference, assessmentId }: Pick<TeamRequest, "reference" | "assessmentId">,
): Promise<TeamRequest["history"]> {
  const { createdAt: at, action } = audit;
  // An import and its entry in the audit table have the same time.
  const isOfImport = and(
    eq(action, "results imported"),
    eq(imports.assessmentId, assessmentId),
    eq(imports.createdAt, at),
  );
  return await tx
    .select({ at, action, by: teamActions.doneBy, proposedBy: imports.proposedBy })
    .from(audit)
    .leftJoin(teamActions, eq(teamActions.auditId, audit.id))
    .leftJoin(imports, isOfImport)
    .where(eq(audit.reference, reference))
    .orderBy(desc(audit.id))
    .limit(maxEvents);
}

/** Records an export of names, with an email to the team; within an hour, only the first of each kind and person. */
export async function recordTeamExport(
  tx: Tx,
  assessmentId: number,
  {
    reference,
    action,
    by,
    email,
  }: { reference: string; action: NameExport; by: string; email: Email },
  now: Date,
): Promise<void> {
  await lockAssessment(tx, assessmentId);
  const [known] = await tx
    .select({ id: audit.id })
    .from(audit)
    .innerJoin(teamActions, eq(teamActions.auditId, audit.id))
    .where(
      and(
        eq(audit.reference, reference),
        eq(audit.action, action),
        eq(teamActions.doneBy, by),
        gt(audit.createdAt, new Date(now.getTime() - hourMs).toISOString()),
      ),
    )
    .limit(1);
  if (known) return;
  await openAudit(tx, action, now, reference, by);
  await addTeamNotice(tx, { email, reference }, now);
}

/** A file of the request that a token opens, as it was sent; undefined if the token opens no request with this file. */
export async function findTeamFile(tx: Tx, token: string, fileId: number) {
  const found = await teamLinkOf(tx, token);
  if (!found) return undefined;
  const { id, name: fileName, mediaType } = uploadedFiles;
  const [file] = await tx
    .select({ name: fileName, mediaType })
    .from(uploadedFiles)
    .where(and(eq(id, fileId), eq(uploadedFiles.contactRequestId, found.contactRequestId)));
  const bytes = file && (await tx.selectBytes(fileId));
  return bytes && { ...file, bytes };
}
