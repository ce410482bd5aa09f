import { lstatSync } from "node:fs";
import { connect } from "node:net";

/** Where a server listens: at the path of a Unix socket, or on a port. Options of `connect` and `listen`. */
export type ServerAddress = { path: string } | { host: string; port: number };

export const addressText = (address: ServerAddress) =>
  "path" in address ? address.path : `${address.host}:${address.port}`;

/** Returns what is at the path of a Unix socket. A server that was killed leaves a stale socket behind. */
export async function socketState(
  path: string,
): Promise<"nothing" | "live" | "stale" | "another file"> {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (!file) return "nothing";
  if (!file.isSocket()) return "another file";
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve("live");
    });
    // After any error but ECONNREFUSED a server may be listening, for example with a full queue: report it as live.
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "ECONNREFUSED" ? "stale" : "live"),
    );
  });
}
