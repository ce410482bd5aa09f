import { formatMomentOf } from "../../domain/day.ts";
import { TeamPart } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

export function TeamHistory({ shown }: { shown: ShownTeam }) {
  const { history } = shown.request;
  const state = history.length === 0 ? "Nothing yet." : "Newest first.";
  return (
    <TeamPart id="history" title="History" state={state} shown={shown}>
      <ol className="plain" reversed>
        {history.map(({ at, action, by, proposedBy }, index) => (
          <li key={`${at} ${index}`}>
            {`${formatMomentOf(at)}: ${action}${by ? `, by ${by}` : ""}${proposedBy ? `; proposed by ${proposedBy}` : ""}`}
          </li>
        ))}
      </ol>
    </TeamPart>
  );
}
