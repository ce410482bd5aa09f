import { cpSync } from "node:fs";
import path from "node:path";
import { once } from "../../app/server/system/once.ts";
import { type Scope, wholeFile } from "./at-end.ts";
import { changeFile, newFolder, type Server, startServer } from "./server.ts";

export interface Installation {
  folder: string;
  databaseFile: string;
  change(sql: string): void;
}

/** Returns a function that copies an installation, which `fill` sets up once; the signal has stopped its server. */
export function installation(
  fill: (server: Server) => Promise<unknown>,
  signal: NodeJS.Signals = "SIGTERM",
) {
  const original = once(async () => {
    const server = await startServer(wholeFile);
    await fill(server);
    await server.stop(signal);
    return server.folder;
  });
  return async (t: Scope): Promise<Installation> => {
    const folder = newFolder(t);
    cpSync(await original(), folder, { recursive: true });
    const databaseFile = path.join(folder, "data/rubricon.db");
    return { folder, databaseFile, change: (sql) => changeFile(databaseFile, sql) };
  };
}
