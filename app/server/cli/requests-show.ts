import { findRequest, type RequestRecord } from "#db/operations/requests.ts";
import { parseReference } from "#db/reference.ts";
import type { Db } from "#db/sqlite/open.ts";
import { counted } from "./confirm.ts";
import { CommandFailed } from "./exit.ts";
import { print, printJson } from "./print.ts";

export async function requestsShow(
  db: Db,
  typed: string,
  { json }: { json?: true },
): Promise<void> {
  const record = await requestOf(db, typed);
  if (json) {
    printJson(plainRecord(record));
    return;
  }
  const { request, files, emails } = record;
  const rows = [
    ["Reference", request.reference],
    ["Received", request.receivedAt],
    ["Form", request.form],
    ["Type", request.requestType],
    ["Quarantine", request.spam],
    ["Test", request.isTest ? "yes" : undefined],
    ["Assessment", assessmentOf(record)],
    ["Name", request.name],
    ["Email", request.email],
    ["Phone", request.phone],
    ["Institution", request.institution],
    ["Confirmed", confirmation(request)],
  ].filter(([, value]) => value);
  const lines = [
    ...rows.map(([label, value]) => `${`${label}:`.padEnd(13)}${value}`),
    "Message:",
    ...request.message.split("\n").map((line) => `  ${line}`),
    "Files:",
    ...files.map(
      (file) =>
        `  ${file.field}  ${file.name}  ${counted(file.size, "byte")}  sha256 ${file.sha256}`,
    ),
    "Letters:",
    ...emails.map(
      ({ recipient, status, attempts, sentAt, lastError }) =>
        `  ${[`to ${recipient ?? "the team"}`, status, sentAt, `attempts ${attempts}`, lastError].filter(Boolean).join("  ")}`,
    ),
  ];
  for (const line of lines) print(line);
}

/** A request as programs read it: what list prints, with its files and letters in place of their number. */
export const plainRecord = ({ request, ...others }: RequestRecord) => ({ ...request, ...others });

/** How far the marking is, and until when the educator can read the marks. */
function assessmentOf({ assessmentStatus, resultsLink }: RequestRecord) {
  if (assessmentStatus !== "published") return assessmentStatus;
  const until = resultsLink ? `the link opens until ${resultsLink.expiresAt}` : "no link is open";
  return `${assessmentStatus}; ${until}`;
}

/** Whether the sender confirmed that the files may be shared. */
function confirmation({ form, confirmedAt, noticeVersion }: RequestRecord["request"]) {
  if (confirmedAt) return `${confirmedAt}, notice of ${noticeVersion}`;
  return form === "demo-upload" ? "no" : undefined;
}

/** @throws CommandFailed where the reference is misspelt or nothing is kept under it */
export async function requestOf(db: Db, typed: string): Promise<RequestRecord> {
  const reference = parseReference(typed);
  if (!reference) {
    throw new CommandFailed(
      `${typed} is not a reference; it would look like ABCD-EFGH-JKMN, without 0, O, 1 and I.`,
    );
  }
  const record = await findRequest(db, reference, new Date());
  if (!record) throw new CommandFailed(`There is no request ${reference}.`);
  return record;
}
