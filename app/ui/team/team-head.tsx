import { formatDayOf } from "../../domain/day.ts";
import type { TeamRequest } from "../../domain/team.ts";
import { partIds, Reply, replyTo } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

export function TeamHead({ shown: { request, deletedAt, reply } }: { shown: ShownTeam }) {
  const { title, reference, sender, receivedAt } = request;
  const { name, institution } = sender;
  // The form belongs to no part, or could not be read.
  const isOfNoPart = !partIds.some((part) => replyTo(part, { reply }));
  return (
    <header>
      <h1>{title}</h1>
      <p>
        <b>{stateOf(request)}</b>
      </p>
      {reply && isOfNoPart && <Reply reply={reply} />}
      <p>
        {`${reference}, from ${name}${institution ? `, ${institution}` : ""}, received on ${formatDayOf(receivedAt)}. It is deleted on ${formatDayOf(deletedAt)}.`}
      </p>
      {reply?.by && <p className="hint">{`What you do is recorded as done by ${reply.by}.`}</p>}
    </header>
  );
}

function stateOf({ signed, resultsLink, progress: { decided, total } }: TeamRequest): string {
  if (signed) return `Signed by ${signed.by} on ${formatDayOf(signed.at)}`;
  const marked = total === 0 ? "" : `${decided} of ${total} answers decided`;
  if (resultsLink) return ["With the educator", marked].filter(Boolean).join(": ");
  return marked ? `Being marked: ${marked}` : "Received";
}
