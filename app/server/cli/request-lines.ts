import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import { cellOf, type ListedRequest, type RequestRecord } from "../../domain/request-record.ts";
import { forms } from "../../forms/all-forms.ts";
import { columnOf } from "../../forms/form.ts";

/** Returns a request as lines of text, for `requests show`. */
export function linesOf(record: RequestRecord): string[] {
  const { request, files, emails } = record;
  const form = forms[request.form];
  const texts = Object.entries(form.fields).map(([field, { label, type }]) => {
    return { label, type, text: String(cellOf(request, columnOf(form, field)) ?? "") };
  });
  const rows = [
    ["Reference", request.reference],
    ["Received", zonedTime(request.receivedAt)],
    ["Form", request.form],
    ["Type", request.requestType],
    ["Quarantine", request.spam],
    ["Test", request.isTest ? "yes" : undefined],
    ["Assessment", assessmentOf(record)],
    ...texts.filter(({ type }) => type !== "paragraphs").map(({ label, text }) => [label, text]),
    ["Confirmed", confirmationOf(request)],
  ].filter(([, value]) => value);
  return [
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(17)}${value}`),
    ...texts.filter(({ type }) => type === "paragraphs").flatMap(paragraphsOf),
    "Files:",
    ...files.map(
      (file) =>
        `  ${file.field}  ${file.name}  ${counted(file.size, "byte")}  sha256 ${file.sha256}`,
    ),
    "Emails:",
    ...emails.map(emailLine),
  ];
}

function emailLine(email: RequestRecord["emails"][number]): string {
  const { kind, recipient, status, attempts, sentAt, lastError } = email;
  const what = kind === "webhook" ? kind : `to ${recipient ?? "the team"}`;
  const time = sentAt && zonedTime(sentAt);
  const parts = [what, status, time, `attempts ${attempts}`, lastError].filter(Boolean);
  return `  ${parts.join("  ")}`;
}

const paragraphsOf = ({ label, text }: { label: string; text: string }) => [
  `${label}:`,
  ...text.split("\n").map((line) => `  ${line}`),
];

/** Returns the status of the marking and, if published, until when the educator can open the results. */
function assessmentOf({ assessmentStatus, resultsLink }: RequestRecord) {
  if (assessmentStatus !== "published") return assessmentStatus;
  const until = resultsLink
    ? `the link is valid until ${zonedTime(resultsLink.expiresAt)}`
    : "no link is open";
  return `${assessmentStatus}; ${until}`;
}

/** Returns when and under which notice the right to share files was confirmed, or "no"; undefined if not asked. */
function confirmationOf({ form, confirmedAt, noticeVersion }: ListedRequest) {
  if (confirmedAt) return `${zonedTime(confirmedAt)}, notice of ${noticeVersion}`;
  return forms[form].asksToConfirm ? "no" : undefined;
}
