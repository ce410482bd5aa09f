import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { atEnd } from "./at-end.ts";

/** What goes wrong with one connection to the mail server. */
export interface Trouble {
  what: string;
  /** When: before the greeting, or at this line of the client's. */
  at: "greeting" | RegExp;
  /** The line is answered with a text in place of the server, with silence, or by hanging up. */
  answer: string | Buffer | "silence" | "hang up" | "hang up once the server has it";
}

/**
 * Stands in front of a mail server that is well, and gives each connection in turn its trouble; those
 * that come when all troubles are used up reach the server undisturbed. Begins when told to.
 */
export function troubledMailServer(t: TestContext, wellPort: number, troubles: Trouble[]) {
  const left = [...troubles];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => {});
    client.on("close", () => sockets.delete(client));
    const trouble = left.shift();
    if (trouble?.at !== "greeting") relay(client, wellPort, trouble);
    else if (trouble.answer === "hang up") client.destroy();
    else if (trouble.answer !== "silence") client.write(trouble.answer);
  });
  atEnd(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    left,
    async listen(port: number): Promise<number> {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

function relay(client: Socket, wellPort: number, trouble: Trouble | undefined): void {
  const well = connect(wellPort, "127.0.0.1");
  well.on("error", () => {});
  client.on("close", () => well.destroy());
  well.on("close", () => client.end());
  let troubled = false;
  well.on("data", (bytes) => {
    if (!troubled) client.write(bytes);
    else if (trouble!.answer === "hang up once the server has it") client.destroy();
  });
  let pending = "";
  client.on("data", (bytes) => {
    pending += bytes.toString("latin1");
    const end = pending.lastIndexOf("\r\n") + 2;
    const lines = pending.slice(0, Math.max(end, 0)).match(/.*\r\n/g) ?? [];
    pending = pending.slice(Math.max(end, 0));
    for (const line of lines) {
      if (!trouble || trouble.at === "greeting" || !trouble.at.test(line)) {
        if (!troubled) well.write(Buffer.from(line, "latin1"));
        continue;
      }
      troubled = true;
      if (trouble.answer === "hang up once the server has it") well.write(line);
      else if (trouble.answer === "hang up") client.destroy();
      else if (trouble.answer !== "silence") client.write(trouble.answer);
    }
  });
}
