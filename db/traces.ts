/** Makes sure that what was deleted can no longer be read in the bytes of the database and its log. */
import { closeSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "./errors.ts";
import type { Db } from "./open.ts";

/** Pieces that stand in the bytes of these requests and in no other's, to be taken before they are deleted. */
export function tracesOf(db: Db, references: string[]): Buffer[] {
  const find = (sql: string) =>
    db.$client
      .prepare<[string], Buffer | string | null>(sql)
      .pluck()
      .all(JSON.stringify(references));
  const found = [
    ...references,
    ...["contact_requests", "rubric_requests"].flatMap((table) =>
      find(`SELECT fingerprint FROM ${table} WHERE reference IN (SELECT value FROM json_each(?))`),
    ),
    ...find("SELECT message_id FROM outbox WHERE reference IN (SELECT value FROM json_each(?))"),
    // A piece of each file, from that part which lies among other rows; none of a file that came twice.
    ...find(
      `SELECT substr(bytes, 1 + min(1000, size / 2), 32) FROM uploaded_file_bytes JOIN uploaded_files file ON id = file_id
        WHERE (SELECT count(*) FROM uploaded_files same WHERE same.sha256 = file.sha256) = 1
        AND id IN (SELECT file_id FROM files_received WHERE reference IN (SELECT value FROM json_each(?)))`,
    ),
  ];
  return found.flatMap((piece) => {
    const bytes = Buffer.from(piece ?? "");
    // Pieces of one repeated byte stand in any file.
    return new Set(bytes).size >= 6 ? [bytes] : [];
  });
}

/**
 * Empties the log. SQLite overwrites what is deleted, but not what it left behind where it moved rows between
 * pages before: where a trace is still in the file, all of it is written anew.
 * @throws Unavailable where somebody reads for so long that the log cannot be emptied, or the disk is full
 */
export async function clearTraces(db: Db, traces: Buffer[]): Promise<void> {
  await emptyLog(db);
  if (!contains(db.$client.name, traces)) return;
  db.$client.pragma("busy_timeout = 10000");
  db.$client.exec("VACUUM");
  await emptyLog(db);
}

async function emptyLog(db: Db): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // Waits for as long as the busy timeout allows.
    const [state] = db.$client.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (state?.busy === 0) return;
    await sleep(200);
  }
  throw new Unavailable(
    "It is deleted, but still stands in the log beside the database, because another program reads that. Close the other program and run the command again.",
  );
}

const chunkBytes = 4 * 1_048_576;

/** Whether any of the pieces stands in a file, wherever it may begin. */
function contains(file: string, pieces: Buffer[]): boolean {
  const overlap = Math.max(0, ...pieces.map((piece) => piece.length)) - 1;
  if (overlap < 0) return false;
  const known = new Map<number, Buffer[]>();
  for (const piece of pieces) {
    const start = piece.readUInt32BE(0);
    known.set(start, [...(known.get(start) ?? []), piece]);
  }
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes + overlap);
    let kept = 0;
    for (;;) {
      const read = readSync(descriptor, chunk, kept, chunkBytes, null);
      const filled = kept + read;
      if (holdsAny(chunk.subarray(0, filled), known)) return true;
      if (read === 0) return false;
      kept = Math.min(overlap, filled);
      chunk.copy(chunk, 0, filled - kept, filled);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** One pass for all pieces, by their first four bytes. */
function holdsAny(bytes: Buffer, known: Map<number, Buffer[]>): boolean {
  const maybe = new Uint8Array(65_536);
  for (const start of known.keys()) maybe[start >>> 16] = 1;
  for (let place = 0; place + 4 <= bytes.length; place += 1) {
    if (!maybe[(bytes[place]! << 8) | bytes[place + 1]!]) continue;
    const candidates = known.get(bytes.readUInt32BE(place));
    if (
      candidates?.some(
        (piece) => bytes.compare(piece, 0, piece.length, place, place + piece.length) === 0,
      )
    )
      return true;
  }
  return false;
}
