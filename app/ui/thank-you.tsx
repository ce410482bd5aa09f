import { useEffect, useRef } from "react";
import { demoUploadFileFields } from "../forms/demo-upload.ts";
import { megabytes } from "../forms/files.ts";
import type { Receipt } from "../forms/receipt.ts";
import { pageIsHydrated } from "./hydration.ts";

/** What takes the place of the form once the upload is safe. */
export function ThankYou({ receipt }: { receipt: Receipt }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (pageIsHydrated()) heading.current?.focus();
  }, []);
  const { reference, receivedAt, fileCount, files } = receipt;
  return (
    <div className="thank-you">
      <h3 tabIndex={-1} ref={heading}>
        Thank you. Your files are with us.
      </h3>
      <dl>
        <div>
          <dt>Your reference</dt>
          <dd className="reference">{reference}</dd>
        </div>
        <div>
          <dt>Received</dt>
          <dd>
            <time dateTime={receivedAt}>{inSouthAfrica(receivedAt)}</time>
          </dd>
        </div>
      </dl>
      <p>
        <strong>You will hear from us by e-mail within 24 hours.</strong> Quote the reference when
        you write to us about this upload.
      </p>
      {files.length > 0 ? (
        <ReceivedFiles files={files} />
      ) : (
        <p>We received {fileCount} files. Their names are shown for 24 hours only.</p>
      )}
      <p className="no-print">
        <a href="/#demo">Send another set</a>
      </p>
    </div>
  );
}

function ReceivedFiles({ files }: { files: Receipt["files"] }) {
  return (
    <dl className="received">
      {Object.entries(demoUploadFileFields).map(([name, { label }]) => (
        <div key={name}>
          <dt>{label}</dt>
          {files
            .filter((file) => file.field === name)
            .map((file, place) => (
              <dd key={place}>
                <span className="file-name">{file.name}</span>{" "}
                <span className="faded">{megabytes(file.size)}</span>
              </dd>
            ))}
        </div>
      ))}
    </dl>
  );
}

/** The same words on the server and in every browser, wherever they stand. */
function inSouthAfrica(time: string): string {
  const text = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "Africa/Johannesburg",
  }).format(new Date(time));
  return `${text} (SAST)`;
}
