import type { Db } from "#db/open.ts";
import { listRequests } from "#db/request.ts";
import { print } from "./print.ts";

export async function requestsList(db: Db): Promise<void> {
  const requests = await listRequests(db);
  if (requests.length === 0) process.stderr.write("No requests yet.\n");
  for (const { reference, createdAt, requestType, files, name, email } of requests) {
    print([reference, createdAt, requestType, `${files} files`, name, email].join("  "));
  }
}
