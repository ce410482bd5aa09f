import { connect } from "node:net";
import { Unavailable } from "#db/store.ts";
import type { ServerAddress } from "./config/server-address.ts";
import type { Log } from "./log.ts";
import { onceASecond } from "./system/once.ts";

/** ClamAV's daemon. Each method throws Unavailable if clamd gives no valid response. */
export interface VirusScanner {
  /** Resolves if clamd responds, or has responded in the last second. */
  check(): Promise<void>;
  /** Whether clamd finds something harmful in a file; logs what it finds. */
  finds(bytes: Buffer): Promise<boolean>;
}

/** Less than the five seconds that `health` waits; clamd is only slower while it loads its signatures. */
const checkTimeoutMs = 3000;

/** Far more than any response; clamd sends one line. */
const maxResponseBytes = 1024;

/** @param timeoutMs longest time for the scan of a file */
export function openVirusScanner(
  address: ServerAddress,
  log: Log,
  timeoutMs = 30_000,
): VirusScanner {
  return {
    check: onceASecond(() => checkScanner(address)),
    async finds(bytes) {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(bytes.length);
      // A chunk with its size in front, then the size 0, which ends the stream.
      const response = await ask(address, timeoutMs, "INSTREAM", [size, bytes, Buffer.alloc(4)]);
      if (response === "stream: OK") return false;
      const found = /^stream: (.+) FOUND$/.exec(response)?.[1];
      if (!found) throw unavailable(`responded with “${response}”`);
      log.warn(`the virus scanner found ${found} in an uploaded file, which was rejected`);
      return true;
    },
  };
}

/** Asks clamd whether it works. @throws Unavailable unless it responds with “PONG” */
export async function checkScanner(address: ServerAddress): Promise<void> {
  const response = await ask(address, checkTimeoutMs, "PING");
  if (response !== "PONG") throw unavailable(`responded with “${response}”`);
}

/** Sends a command of clamd(8) and returns the response. The command and the response each end with a zero byte. */
async function ask(
  address: ServerAddress,
  timeoutMs: number,
  command: string,
  parts: Buffer[] = [],
): Promise<string> {
  const socket = connect(address);
  const timer = setTimeout(() => {
    socket.destroy(new Error(`did not respond within ${timeoutMs / 1000} seconds`));
  }, timeoutMs);
  let response = "";
  try {
    for (const bytes of [Buffer.from(`z${command}\0`), ...parts]) socket.write(bytes);
    for await (const bytes of socket) {
      response += bytes.toString();
      if (response.endsWith("\0")) return response.slice(0, -1);
      if (response.length > maxResponseBytes) throw new Error("sent too long a response");
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw unavailable(code ? `cannot be reached: ${code}` : message);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
  throw unavailable("closed the connection without a response");
}

const unavailable = (what: string) => new Unavailable(`The virus scanner ${what}.`);
