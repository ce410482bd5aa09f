import { counted } from "../../domain/counted.ts";
import { formatBytes } from "../../forms/files.ts";
import { teamApiPrefix } from "../../site.ts";
import { TeamPart } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

export function TeamFiles({ shown }: { shown: ShownTeam }) {
  const { token, request } = shown;
  const { files } = request;
  const folder = `${teamApiPrefix}${encodeURIComponent(token)}`;
  return (
    <TeamPart id="files" title="Files" state={`${counted(files.length, "file")}.`} shown={shown}>
      <p>
        <a className="standalone-link" href={`${folder}/files.zip`}>
          All files as a ZIP
        </a>
      </p>
      <ul className="file-names">
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <a href={`${folder}/files/${id}`}>{name}</a>
            {` (${formatBytes(size)})`}
          </li>
        ))}
      </ul>
    </TeamPart>
  );
}
