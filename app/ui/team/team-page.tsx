import type { TeamPageData, TeamReply } from "../../domain/team.ts";
import type { ClassAgreement } from "../../results/agreement.ts";
import { markingHelp } from "../../site.ts";
import { Loader } from "../island.tsx";
import { type PartId, Reply, Sent } from "./part.tsx";
import { TeamAsked } from "./team-asked.tsx";
import { TeamClass } from "./team-class.tsx";
import { TeamFiles } from "./team-files.tsx";
import { TeamHead } from "./team-head.tsx";
import { TeamHistory } from "./team-history.tsx";
import { TeamMarkers } from "./team-markers.tsx";
import { TeamProposals } from "./team-proposals.tsx";
import { TeamPublish } from "./team-publish.tsx";
import "../../styles/parts/forms.css";
import "../../styles/pages/team-page.css";

export interface ShownTeam {
  token: string;
  request: TeamPageData;
  /** A random key of a form, so that a form that is sent twice makes one link. */
  formKey: string;
  /** The part with the button for the next step. */
  nextPart: PartId | null;
  /** When the request is deleted: ISO 8601, UTC. */
  deletedAt: string;
  /** The agreement of decisions with proposals; null unless it was asked for. */
  agreement: ClassAgreement | null;
  reply: TeamReply | undefined;
}

/** The team's page of a request, in the order of the work. */
export function TeamPage({ shown }: { shown: ShownTeam }) {
  return (
    <div className="page team">
      <TeamHead shown={shown} />
      <TeamFiles shown={shown} />
      <TeamClass shown={shown} />
      <TeamMarkers shown={shown} />
      <TeamProposals shown={shown} />
      <TeamAsked shown={shown} />
      <TeamPublish shown={shown} />
      <TeamHistory shown={shown} />
      <p className="hint no-print">
        <a href={markingHelp}>How marking works</a>
      </p>
      <Loader />
    </div>
  );
}

/** Says the same for unknown and closed links, so that guessing reveals nothing, and shows what was posted. */
export function ClosedTeamLink({ reply }: Pick<ShownTeam, "reply">) {
  return (
    <div className="page narrow">
      {reply && (
        <>
          <Reply reply={reply} />
          <Sent typed={reply.typed} />
        </>
      )}
      <h1>This link opens no page</h1>
      <p>
        The link to the page of a class ends with the request, and is closed when a new one is made.
        Please compare the address with the one in the email, or ask the person who runs the server
        for a new link.
      </p>
    </div>
  );
}
