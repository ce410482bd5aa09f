/** The privacy notice of a form without files. */
export function TextNotice({ company, retentionDays }: { company: string; retentionDays: number }) {
  return (
    <p className="hint">
      {company} keeps what you type here to answer you, and deletes it after {retentionDays} days.
      Only our team reads it. More in the <a href="/privacy-policy">privacy policy</a>.
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
      <a href="/privacy-policy">privacy policy</a> and{" "}
      <a href="/security-policy#trust">what is stored, where and who decides</a>.
    </p>
  );
}
