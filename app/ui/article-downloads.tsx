import { downloadsPrefix } from "../site.ts";

export interface DownloadLink {
  label: string;
  name: string;
  /** In bytes. */
  size: number;
}

/** By the ending of a file's name. */
const programs: Record<string, string> = { docx: "Word", xlsx: "Excel", pdf: "PDF" };

/** The files that an article offers. */
export function ArticleDownloads({ downloads }: { downloads: DownloadLink[] }) {
  if (downloads.length === 0) return null;
  return (
    <section className="downloads no-print" aria-labelledby="downloads-title">
      <h2 id="downloads-title">To download</h2>
      <ul>
        {downloads.map(({ label, name, size }) => (
          <li key={name}>
            <a href={downloadsPrefix + name} download>
              {label}
            </a>{" "}
            ({programs[name.replace(/^.*\./, "")]}, {Math.ceil(size / 1000)} kB)
          </li>
        ))}
      </ul>
    </section>
  );
}
