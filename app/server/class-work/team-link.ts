import { newToken, type Store } from "#db/store.ts";
import type { NewTeamLink } from "../../domain/team.ts";
import { teamPath } from "../../site.ts";
import { linkOrigin } from "../config/link-origin.ts";
import type { Config } from "../config/load-config.ts";
import { noPublicUrl, type WorkError, workError } from "./class-work.ts";

/** A new link to the team's page of a request; undefined if there is no address for links, see linkOrigin. */
export function newTeamLink(
  config: Pick<Config, "publicUrl" | "listenAddress" | "mail">,
): NewTeamLink | undefined {
  const origin = linkOrigin(config);
  const token = newToken(256);
  return origin === undefined ? undefined : { token, url: `${origin}${teamPath}?link=${token}` };
}

/** Returns a link for the email about a request; undefined if TEAM_LINKS is off, or without an address for links. */
export const newEmailedTeamLink = (
  config: Parameters<typeof newTeamLink>[0] & Pick<Config, "teamLinks">,
): NewTeamLink | undefined => (config.teamLinks ? newTeamLink(config) : undefined);

/** Makes a new link to the team's page of a request, and closes the earlier link. */
export async function makeTeamLink(
  { store, config, now }: { store: Store; config: Config; now: Date },
  reference: string,
): Promise<NewTeamLink | WorkError> {
  const link = newTeamLink(config);
  if (!link) return noPublicUrl();
  if (!(await store.replaceTeamLink(reference, link, now))) {
    return workError(
      "no page",
      `Request ${reference} has no page for the team: it is no upload of a class, a test, or in quarantine.`,
    );
  }
  await store.openAudit("team link made", now, reference);
  return link;
}

/** Closes the link to the team's page. Returns whether one was open. */
export async function closeTeamLink(store: Store, reference: string) {
  const isClosed = await store.closeTeamLink(reference);
  if (isClosed) await store.openAudit("team link closed", new Date(), reference);
  return isClosed;
}
