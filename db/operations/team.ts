/** What the link to the team's page of a request opens. */
import { and, asc, desc, eq } from "drizzle-orm";
import type { TeamRequest } from "../../app/domain/team.ts";
import type { Tx } from "../operation.ts";
import { audit, teamActions, uploadedFiles } from "../schema.ts";
import { progressOfClass } from "./answers.ts";
import { titleOf } from "./desk.ts";
import { signatureOf } from "./imported-results.ts";
import { openLinkOf } from "./result-links.ts";
import { teamLinkOf } from "./team-links.ts";

/** The request that a token opens; undefined if that is unknown or closed. */
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
    files: await tx
      .select({
        id: uploadedFiles.id,
        field: uploadedFiles.field,
        name: uploadedFiles.name,
        size: uploadedFiles.size,
      })
      .from(uploadedFiles)
      .where(eq(uploadedFiles.contactRequestId, contactRequestId))
      .orderBy(asc(uploadedFiles.id)),
    history: await historyOf(tx, request.reference),
  };
}

/** More is in the audit table; a page with all of it would not be read. */
const maxEvents = 200;

async function historyOf(tx: Tx, of: string): Promise<TeamRequest["history"]> {
  return await tx
    .select({ at: audit.createdAt, action: audit.action, by: teamActions.doneBy })
    .from(audit)
    .leftJoin(teamActions, eq(teamActions.auditId, audit.id))
    .where(eq(audit.reference, of))
    .orderBy(desc(audit.id))
    .limit(maxEvents);
}

/** A file of the request that a token opens, as it was sent; undefined if it is not one of them. */
export async function findTeamFile(
  tx: Tx,
  token: string,
  fileId: number,
): Promise<{ name: string; mediaType: string; bytes: Buffer } | undefined> {
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
