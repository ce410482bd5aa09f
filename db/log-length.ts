import type Sqlite from "better-sqlite3";

/** Pages of the log after which it is taken over into the file, so that it begins anew: 64 MB. */
const longLog = 8000;

/** Pages that are taken over in a moment: 4 MB. */
const shortRest = 500;

/** What a log needs: to be left alone, a thread that takes it over, or the last of it at once. */
export type LogNeed = "nothing" | "thread" | "moment";

export function needOfLog(client: Sqlite.Database): LogNeed {
  const { log, checkpointed } = checkpoint(client, "NOOP");
  if (log < longLog) return "nothing";
  return log - checkpointed > shortRest ? "thread" : "moment";
}

/** Takes the log over as far as readers allow. Returns whether any of it could be. */
export function takeOverLog(client: Sqlite.Database): boolean {
  const before = checkpoint(client, "NOOP").checkpointed;
  try {
    return checkpoint(client, "PASSIVE").checkpointed !== before;
  } catch {
    // The disk is full, for one. The log is whole, and there will be another time.
    return false;
  }
}

function checkpoint(client: Sqlite.Database, mode: "NOOP" | "PASSIVE") {
  const [lengths] = client.pragma(`wal_checkpoint(${mode})`) as [
    { log: number; checkpointed: number },
  ];
  return lengths;
}
