import { findRequest, listRequests, type RequestLine } from "#db/operations/requests.ts";
import type { Db } from "#db/sqlite/open.ts";
import { csv } from "./csv.ts";
import { printJson } from "./print.ts";
import { plainRecord } from "./requests-show.ts";

const columns: (keyof RequestLine)[] = [
  "reference",
  "receivedAt",
  "form",
  "requestType",
  "name",
  "email",
  "phone",
  "institution",
  "message",
  "files",
  "spam",
  "isTest",
  "confirmedAt",
  "noticeVersion",
];

/** All requests, those in quarantine and tests too, which columns tell apart. JSON has files and letters besides. */
export async function requestsExport(db: Db, format: "csv" | "json"): Promise<void> {
  const requests = await listRequests(db);
  if (format === "csv") {
    process.stdout.write(csv(columns, requests));
    return;
  }
  const now = new Date();
  const records = await Promise.all(
    requests.map(({ reference }) => findRequest(db, reference, now)),
  );
  printJson(records.flatMap((record) => (record ? [plainRecord(record)] : [])));
}
