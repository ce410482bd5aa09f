import { existsSync, readFileSync } from "node:fs";
import type { Server } from "./server.ts";

/** The bytes of the database and its WAL, as text in lower case. */
export const bytesOf = ({ databaseFile }: Pick<Server, "databaseFile">): string =>
  [databaseFile, `${databaseFile}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString("latin1").toLowerCase())
    .join();
