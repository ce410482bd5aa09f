import type { Store } from "#db/store.ts";
import { cellOf, type ListedRequest, type RequestRecord } from "../../domain/request-record.ts";
import { textColumns } from "../../forms/all-forms.ts";
import { csvHeader, csvLine } from "../results/csv.ts";
import { recordExport } from "./audit.ts";
import type { Format } from "./format.ts";
import type { Opened } from "./installation.ts";
import { jsonArray, printParts } from "./print.ts";

type Columns = (keyof ListedRequest)[];

const columns: string[] = [
  ...(["reference", "receivedAt", "form", "requestType"] satisfies Columns),
  ...textColumns,
  ...(["files", "spam", "isTest", "confirmedAt", "noticeVersion"] satisfies Columns),
];

/** Requests read at a time: few enough for their texts to need little memory. */
const chunkSize = 50;

/**
 * Prints all requests, newest first, while reading them. Includes quarantine and tests; see the
 * columns spam and isTest. JSON has files and emails too.
 */
export async function exportRequests({ store }: Opened, { format }: Format): Promise<void> {
  await recordExport(store, "requests exported");
  const chunks = readChunks(store);
  await printParts(format === "csv" ? csvOf(chunks) : jsonArray(plain(chunks)));
}

async function* readChunks(store: Store): AsyncGenerator<RequestRecord[]> {
  const references = await store.listReferences();
  const now = new Date();
  for (let from = 0; from < references.length; from += chunkSize) {
    yield await store.findRequests(references.slice(from, from + chunkSize), now);
  }
}

async function* csvOf(chunks: AsyncIterable<RequestRecord[]>): AsyncGenerator<string> {
  yield csvHeader(columns);
  for await (const records of chunks) {
    yield records
      .map(({ request }) => csvLine(columns.map((column) => cellOf(request, column))))
      .join("");
  }
}

async function* plain(chunks: AsyncIterable<RequestRecord[]>): AsyncGenerator<object[]> {
  for await (const records of chunks) yield records.map(plainRecord);
}

/** Returns a request as `list --json` prints it, with emails and marking added, and `files` as a list, not a number. */
export const plainRecord = ({ request, ...others }: RequestRecord) => ({ ...request, ...others });
