import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Scope } from "./at-end.ts";
import { listen } from "./free-port.ts";

/** A fault of one connection to the mail server. */
export interface Trouble {
  what: string;
  /** When it happens: in place of the greeting, or when the client sends a line like this. */
  at: "greeting" | RegExp;
  /**
   * Sent in place of the server's response: a text, nothing, or a disconnect, in the last case after the server has
   * got the line and responded. What either end sends after that is lost.
   */
  response: string | Buffer | "silence" | "hang up" | "hang up once the server has it";
}

/**
 * A proxy in front of a working mail server: each connection gets the next fault of the list, and
 * later ones reach the server undisturbed. Listens only after `listen` is called.
 */
export function troubledMailServer(t: Scope, realPort: number, troubles: Trouble[]) {
  const left = [...troubles];
  const server = createServer((client) => {
    const trouble = left.shift();
    if (trouble?.at !== "greeting") relay(client, realPort, trouble);
    else if (trouble.response === "hang up") client.destroy();
    else if (trouble.response !== "silence") client.write(trouble.response);
  });
  return {
    left,
    listen: (port: number) => listen(t, server, port),
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

function relay(client: Socket, realPort: number, trouble: Trouble | undefined): void {
  const upstream = connect(realPort, "127.0.0.1");
  upstream.on("error", () => {});
  client.on("close", () => upstream.destroy());
  upstream.on("close", () => client.end());
  let troubled = false;
  upstream.on("data", (bytes) => {
    if (!troubled) client.write(bytes);
    else if (trouble!.response === "hang up once the server has it") client.destroy();
  });
  let pending = "";
  client.on("data", (bytes) => {
    pending += bytes.toString("latin1");
    const end = pending.lastIndexOf("\r\n") + 2;
    const lines = pending.slice(0, Math.max(end, 0)).match(/.*\r\n/g) ?? [];
    pending = pending.slice(Math.max(end, 0));
    for (const line of lines) {
      if (!(trouble?.at instanceof RegExp && trouble.at.test(line))) {
        if (!troubled) upstream.write(Buffer.from(line, "latin1"));
        continue;
      }
      troubled = true;
      if (trouble.response === "hang up once the server has it") upstream.write(line);
      else if (trouble.response === "hang up") client.destroy();
      else if (trouble.response !== "silence") client.write(trouble.response);
    }
  });
}
