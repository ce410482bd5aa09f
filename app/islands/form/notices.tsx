/** The privacy notice of a form without files. */
export function TextNotice({ company, retentionDays }: { company: string; retentionDays: number }) {
  return (
    <p className="hint">
      {company} keeps what you type here to answer you, and deletes it after {retentionDays} days.
      Only our team reads it. More in the{" "}
      <PolicyLink href="/privacy-policy">privacy policy</PolicyLink>.
    </p>
  );
}

/** The privacy notice of the demo upload. */
export function UploadNotice({
  company,
  retentionDays,
}: {
  company: string;
  retentionDays: number;
}) {
  return (
    <p className="hint">
      {company} keeps these files and your details to mark them and to answer you, and deletes both
      after {retentionDays} days. Only our team reads them; a model proposes the marks. More in the{" "}
      <PolicyLink href="/privacy-policy">privacy policy</PolicyLink> and{" "}
      <PolicyLink href="/security-policy#trust">what is stored, where and who decides</PolicyLink>.
    </p>
  );
}

/** Opens in a tab of its own: a form that came back with errors could not be gone back to. */
export function PolicyLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
