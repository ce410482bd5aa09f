import { counted } from "../../domain/counted.ts";
import type { ListedRequest, RequestRecord } from "../../domain/request-record.ts";
import { localTime } from "../local-time.ts";

/** A request as text, for `requests show`. */
export function linesOf(record: RequestRecord): string[] {
  const { request, files, emails } = record;
  const rows = [
    ["Reference", request.reference],
    ["Received", localTime(request.receivedAt)],
    ["Form", request.form],
    ["Type", request.requestType],
    ["Quarantine", request.spam],
    ["Test", request.isTest ? "yes" : undefined],
    ["Assessment", assessmentOf(record)],
    ["Name", request.name],
    ["Email", request.email],
    ["Phone", request.phone],
    ["Institution", request.institution],
    ["Confirmed", confirmationOf(request)],
  ].filter(([, value]) => value);
  return [
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(13)}${value}`),
    "Message:",
    ...request.message.split("\n").map((line) => `  ${line}`),
    "Files:",
    ...files.map(
      (file) =>
        `  ${file.field}  ${file.name}  ${counted(file.size, "byte")}  sha256 ${file.sha256}`,
    ),
    "Emails:",
    ...emails.map(
      ({ kind, recipient, status, attempts, sentAt, lastError }) =>
        `  ${[kind === "webhook" ? kind : `to ${recipient ?? "the team"}`, status, sentAt && localTime(sentAt), `attempts ${attempts}`, lastError].filter(Boolean).join("  ")}`,
    ),
  ];
}

/** The status of the marking and, if published, until when the educator can open the results. */
function assessmentOf({ assessmentStatus, resultsLink }: RequestRecord) {
  if (assessmentStatus !== "published") return assessmentStatus;
  const until = resultsLink
    ? `the link is valid until ${localTime(resultsLink.expiresAt)}`
    : "no link is open";
  return `${assessmentStatus}; ${until}`;
}

/** Whether the visitor agreed that the files may be shared. */
function confirmationOf({ form, confirmedAt, noticeVersion }: ListedRequest) {
  if (confirmedAt) return `${localTime(confirmedAt)}, notice of ${noticeVersion}`;
  return form === "demo-upload" ? "no" : undefined;
}
