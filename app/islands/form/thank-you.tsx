import { useEffect, useRef } from "react";
import { formatMomentOf } from "../../domain/day.ts";
import type { Receipt } from "../../domain/receipt.ts";
import { amountOf, formatBytes } from "../../forms/files.ts";
import type { Form } from "../../forms/form.ts";
import { type ReplyTime, withReplyTime } from "../../forms/reply-time.ts";
import { CopyButton } from "./copy-button.tsx";
import { ReceiptDates } from "./receipt-dates.tsx";

/**
 * The receipt of a stored request, a stamped slip: in place of the form, below it, or on a page of its own.
 * @param isNew whether the receipt has just replaced the form, and so takes the focus
 */
export function ThankYou({
  form,
  receipt,
  retentionDays,
  reply,
  isNew,
}: {
  form: Pick<Form, "thanks" | "fileFields" | "hasResults">;
  /** When the team aims to reply; undefined for a form that never states a time. */
  reply: ReplyTime | undefined;
  receipt: Receipt;
  retentionDays: number | undefined;
  isNew?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  const { reference, receivedAt, fileCount, files } = receipt;
  const { title, promise, next, again } = form.thanks;
  return (
    <div className="thank-you slip sheet">
      <p className="stamp" aria-hidden="true">
        Received <span>{formatMomentOf(receivedAt)}</span>
      </p>
      <h2 tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <dl className="rows">
        <div>
          <dt>Your reference</dt>
          <dd>
            <span className="reference">{reference}</span>{" "}
            <CopyButton text={reference} what="the reference" />
          </dd>
        </div>
      </dl>
      <ReceiptDates form={form} reply={reply} receipt={receipt} retentionDays={retentionDays} />
      <p>
        {!receipt.marking?.readyAt && (
          <strong>{reply ? withReplyTime(promise, reply) : promise} </strong>
        )}
        Quote the reference when you write to us about it. Times are South African.
      </p>
      {next && <p>{next}</p>}
      {files.length > 0 && <ReceivedFiles fileFields={form.fileFields} files={files} />}
      {fileCount > files.length && (
        <p>We received {fileCount} files. Their names are no longer shown.</p>
      )}
      <p className="hint">
        Our <a href="/terms-conditions">terms</a> apply to what you sent. The{" "}
        <a href="/privacy-policy">privacy policy</a> says what becomes of it.
      </p>
      <p className="no-print">
        <a className="standalone-link" href={again.href}>
          {again.label}
        </a>
      </p>
    </div>
  );
}

/** Max files in a list that is not folded. */
const maxUnfolded = 5;

function ReceivedFiles({
  fileFields,
  files,
}: {
  fileFields: Form["fileFields"];
  files: Receipt["files"];
}) {
  const groups = Object.entries(fileFields)
    .map(([name, { label }]) => ({ label, files: files.filter(({ field }) => field === name) }))
    .filter((group) => group.files.length > 0);
  const list = (
    <dl className="rows">
      {groups.map((group) => (
        <div key={group.label}>
          <dt>{group.label}</dt>
          {group.files.map((file, index) => (
            <dd key={index}>
              <span className="file-name">{file.name}</span>{" "}
              <span className="faded">{formatBytes(file.size)}</span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
  if (files.length <= maxUnfolded) return list;
  return (
    <details>
      <summary>{amountOf(files)}</summary>
      {list}
    </details>
  );
}
