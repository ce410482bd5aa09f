import { lstatSync } from "node:fs";
import { connect } from "node:net";

/** Where a server listens: at the path of a Unix socket, or on a port. Options of `connect` and `listen`. */
export type ServerAddress = { path: string } | { host: string; port: number };

export const addressText = (address: ServerAddress) =>
  "path" in address ? address.path : `${address.host}:${address.port}`;

/** What is at the path of a Unix socket. A server that was killed leaves a stale one behind. */
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
    // Any other error leaves open whether a server listens: its queue may be full.
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "ECONNREFUSED" ? "stale" : "live"),
    );
  });
}
