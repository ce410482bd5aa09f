import { listRequests } from "#db/operations/requests.ts";
import type { Db } from "#db/sqlite/open.ts";
import { counted } from "./confirm.ts";
import { print, printJson } from "./print.ts";

/** Those in quarantine are left out, or the only ones. */
export async function requestsList(
  db: Db,
  { spam: onlySpam = false, json }: { spam?: boolean; json?: true },
): Promise<void> {
  const all = await listRequests(db);
  const requests = all.filter(({ spam }) => (spam !== null) === onlySpam);
  if (json) {
    printJson(requests);
    return;
  }
  if (requests.length === 0) {
    process.stderr.write(onlySpam ? "Nothing is in quarantine.\n" : "No requests yet.\n");
  }
  for (const { reference, receivedAt, form, files, name, email, spam, isTest } of requests) {
    const count = files > 0 ? counted(files, "file") : "";
    const kind = isTest ? `${form} (test)` : form;
    const line = [reference, receivedAt, kind, count, name, email, spam ?? ""];
    print(line.filter(Boolean).join("  "));
  }
}
