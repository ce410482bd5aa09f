/** Makes sure that what was deleted can no longer be read in the bytes of the database and its log. */
import { closeSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../errors.ts";
import type { Db } from "./open.ts";
import { truncateWal } from "./wal.ts";

const timeoutMs = 4_000;

/** Anything shorter stands in other texts too. */
const minTraceBytes = 6;

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
    return new Set(bytes).size >= minTraceBytes ? [bytes] : [];
  });
}

/**
 * Empties the log. SQLite overwrites what is deleted, but not what it left behind where it moved rows between
 * pages before: where a trace is still in the file, all of it is written anew.
 * @throws Unavailable where somebody reads for so long that the log cannot be emptied, or the disk is full
 */
export async function clearTraces(db: Db, traces: Buffer[]): Promise<void> {
  await truncated(db);
  const worthFinding = traces.filter((piece) => piece.length >= minTraceBytes);
  if (!contains(db.$client.name, worthFinding)) return;
  db.$client.pragma("busy_timeout = 10000");
  db.$client.exec("VACUUM");
  await truncated(db);
}

/** Readers are waited for; the server may be taking the log over, and then this is refused at once. */
async function truncated(db: Db): Promise<void> {
  const until = performance.now() + timeoutMs;
  do {
    if (truncateWal(db.$client, 2_000)) return;
    await sleep(200);
  } while (performance.now() < until);
  throw new Unavailable(
    "It is deleted, but still stands in the log beside the database, because another program reads that. Close the other program and run the command again.",
  );
}

const chunkBytes = 4 * 1_048_576;

/** Whether any of the pieces stands in a file, wherever it may begin. */
function contains(file: string, pieces: Buffer[]): boolean {
  if (pieces.length === 0) return false;
  const search = searchFor(pieces);
  const overlap = Math.max(...pieces.map((piece) => piece.length)) - 1;
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes + overlap);
    let kept = 0;
    for (;;) {
      const read = readSync(descriptor, chunk, kept, chunkBytes, null);
      if (read === 0) return false;
      const filled = kept + read;
      if (search(chunk.subarray(0, filled))) return true;
      kept = Math.min(overlap, filled);
      chunk.copy(chunk, 0, filled - kept, filled);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * One pass for all pieces, by the method of Wu and Manber: two bytes tell how far ahead the next piece can
 * end its first six at the earliest, which is mostly five bytes on.
 */
function searchFor(pieces: Buffer[]): (bytes: Buffer) => boolean {
  const last = minTraceBytes - 2;
  const skips = new Uint8Array(65_536).fill(last + 1);
  const byLast = new Map<number, Buffer[]>();
  for (const piece of pieces) {
    for (let place = 0; place <= last; place += 1) {
      const pair = piece.readUInt16BE(place);
      skips[pair] = Math.min(skips[pair]!, last - place);
    }
    const pair = piece.readUInt16BE(last);
    byLast.set(pair, [...(byLast.get(pair) ?? []), piece]);
  }
  return (bytes) => {
    let place = last;
    while (place + 1 < bytes.length) {
      const pair = (bytes[place]! << 8) | bytes[place + 1]!;
      const start = place - last;
      const isHere = (piece: Buffer) => bytes.subarray(start, start + piece.length).equals(piece);
      if (skips[pair] === 0 && byLast.get(pair)!.some(isHere)) return true;
      place += skips[pair] || 1;
    }
    return false;
  };
}
