import { useEffect, useRef } from "react";
import type { Receipt } from "../../domain/receipt.ts";
import type { FormName } from "../../domain/request.ts";
import { receiptHours, replyHours, rubricReplyHours } from "../../domain/service.ts";
import { demoUploadFileFields } from "../../forms/demo-upload.ts";
import { type FileField, formatBytes } from "../../forms/files.ts";
import { rubricFileFields } from "../../forms/rubric-request.ts";
import { CopyButton } from "./copy-button.tsx";
import { formatTime, ReceiptDates } from "./receipt-dates.tsx";

interface Thanks {
  title: string;
  promise: string;
  /** What happens next. */
  next?: string;
  fileFields?: Record<string, FileField>;
  again: { href: string; label: string };
}

const reply = `You will hear from us by e-mail within ${replyHours} hours.`;

const thanks: Record<FormName, Thanks> = {
  contact: {
    title: "Thank you. Your message is with us.",
    promise: "A person will write back to you.",
    again: { href: "/contact", label: "Send another message" },
  },
  "demo-request": {
    title: "Thank you. Your request is with us.",
    promise: reply,
    again: { href: "/#demo", label: "Or send us your own papers meanwhile" },
  },
  "demo-upload": {
    title: "Thank you. Your files are with us.",
    promise: reply,
    next: "One of our team checks the proposed marks and sends you a private link: the class on one page, every mark with its reason, slips and files to take away. To ask for more, reply to that e-mail.",
    fileFields: demoUploadFileFields,
    again: { href: "/#demo", label: "Send another set" },
  },
  "rubric-request": {
    title: "Thank you. Your rubric is with us.",
    promise: `We will contact you within ${rubricReplyHours.from} to ${rubricReplyHours.to} hours to discuss your rubric requirements.`,
    fileFields: rubricFileFields,
    again: { href: "/latest-feature#upload", label: "Send another rubric" },
  },
  subscription: {
    title: "Thank you. Your address has arrived.",
    promise:
      "We will write when there is something new to read, and for nothing else. If an e-mail with a link comes first, please open it: it confirms that the address is yours. Each e-mail has a link to unsubscribe.",
    again: { href: "/blog", label: "Back to the articles" },
  },
};

/**
 * The receipt that replaces a form once its request is stored: a stamped slip.
 * @param isNew it has just replaced the form, so it takes the focus
 */
export function ThankYou({
  receipt,
  retentionDays,
  isNew,
}: {
  receipt: Receipt;
  retentionDays: number | undefined;
  isNew?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  const { form, reference, receivedAt, fileCount, files } = receipt;
  const { title, promise, next, fileFields, again } = thanks[form];
  return (
    <div className="thank-you">
      <p className="stamp" aria-hidden="true">
        Received <span>{formatTime(receivedAt)}</span>
      </p>
      <h3 tabIndex={-1} ref={heading}>
        {title}
      </h3>
      <dl>
        <div>
          <dt>Your reference</dt>
          <dd className="reference">{reference}</dd>
          <dd>
            <CopyButton text={reference} what="the reference" />
          </dd>
        </div>
      </dl>
      <ReceiptDates receipt={receipt} retentionDays={retentionDays} />
      <p>
        <strong>{promise}</strong> Quote the reference when you write to us about it. Times are
        South African.
      </p>
      {next && <p>{next}</p>}
      {fileFields && files.length > 0 && <ReceivedFiles fileFields={fileFields} files={files} />}
      {fileCount > files.length && (
        <p>
          We received {fileCount} files. Their names are shown for {receiptHours} hours only.
        </p>
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

/** Longer lists are folded. */
const maxUnfolded = 5;

function ReceivedFiles({
  fileFields,
  files,
}: {
  fileFields: Record<string, FileField>;
  files: Receipt["files"];
}) {
  const groups = Object.entries(fileFields)
    .map(([name, { label }]) => ({ label, files: files.filter(({ field }) => field === name) }))
    .filter((group) => group.files.length > 0);
  const list = (
    <dl>
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
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <details>
      <summary>
        {files.length} files, {formatBytes(bytes)}
      </summary>
      {list}
    </details>
  );
}
