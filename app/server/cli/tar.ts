import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Store } from "#db/store.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import { copyName, safeName } from "../request-files.ts";
import { CommandFailed, exitCodes } from "./exit.ts";

/** Yields a tar archive (POSIX pax) with a request's files in a folder that has its reference. */
export async function* archiveOf(
  store: Store,
  { reference, receivedAt }: Pick<ListedRequest, "reference" | "receivedAt">,
): AsyncGenerator<Buffer> {
  const time = Math.floor(Date.parse(receivedAt) / 1000);
  const used = new Set<string>();
  for (const { id, name } of await store.listFiles(reference)) {
    const bytes = await store.readFile(id);
    if (!bytes) continue;
    let copy = 1;
    while (used.has(copyName(safeName(name), copy))) copy += 1;
    const unique = copyName(safeName(name), copy);
    used.add(unique);
    yield* entry(`${reference}/${unique}`, time, bytes);
  }
  yield Buffer.alloc(1024);
}

/** An entry of its own before the file has the name in UTF-8 and at any length. */
function* entry(name: string, time: number, bytes: Buffer): Generator<Buffer> {
  const record = paxRecord(`path=${name}\n`);
  yield header("PaxHeader", "x", time, record.length);
  yield* padded(record);
  yield header("file", "0", time, bytes.length);
  yield* padded(bytes);
}

/** Begins with its own length in bytes, whose digits count as well. */
function paxRecord(text: string): Buffer {
  const bytes = Buffer.byteLength(text) + 1;
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length += 1;
  return Buffer.from(`${length} ${text}`);
}

function* padded(bytes: Buffer): Generator<Buffer> {
  yield bytes;
  yield Buffer.alloc((512 - (bytes.length % 512)) % 512);
}

function header(name: string, type: "0" | "x", time: number, size: number): Buffer {
  const block = Buffer.alloc(512);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  block.write(name, 0);
  block.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  block.write(`${octal(size, 11)}\0${octal(time, 11)}\0${" ".repeat(8)}${type}`, 124);
  block.write("ustar\x0000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

/**
 * Writes an archive to a new file, or to stdout if the file is "-".
 * @throws CommandFailed if stdout is a terminal, or the file exists
 */
export async function writeArchive(archive: AsyncIterable<Buffer>, file: string): Promise<void> {
  if (file === "-") {
    if (process.stdout.isTTY) {
      throw new CommandFailed("Pipe the archive into a program or a file.", exitCodes.usage);
    }
    await pipeline(Readable.from(archive), process.stdout, { end: false });
    return;
  }
  try {
    await pipeline(Readable.from(archive), createWriteStream(file, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new CommandFailed(`${file} already exists; nothing was overwritten.`);
  }
}
