import { counted } from "../../domain/counted.ts";
import { formatBytes } from "../../forms/files.ts";
import { TeamPart } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

export function TeamFiles({ shown }: { shown: ShownTeam }) {
  const { token, request } = shown;
  const { files } = request;
  const { file } = teamLinks(token);
  return (
    <TeamPart id="files" title="Files" state={`${counted(files.length, "file")}.`} shown={shown}>
      <p>
        <a className="standalone-link" href={file("files.zip")}>
          All files as a ZIP
        </a>
      </p>
      <ul className="file-names">
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <a href={file(`files/${id}`)}>{name}</a>
            {` (${formatBytes(size)})`}
          </li>
        ))}
      </ul>
    </TeamPart>
  );
}
