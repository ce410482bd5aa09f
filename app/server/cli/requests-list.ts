import type { Db } from "#db/open.ts";
import { listRequests } from "#db/request.ts";

export async function requestsList(db: Db): Promise<void> {
  const requests = await listRequests(db);
  if (requests.length === 0) process.stderr.write("No requests yet.\n");
  for (const { reference, createdAt, requestType, files, name, email } of requests) {
    const line = [reference, createdAt, requestType, `${files} files`, name, email].join("  ");
    process.stdout.write(`${line}\n`);
  }
}
