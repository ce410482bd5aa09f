import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Scope } from "./at-end.ts";
import { localMetrics, newFolder, startServer, until } from "./server.ts";

/** Starts a server that could not write its drop folder, which is there now, and has not tried anew. */
export async function startWithFailedDrop(t: Scope, folder = newFolder(t)) {
  const drop = path.join(folder, "drop");
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { folder, env: { ...env, ...localMetrics } });
  await until(() => server.log().includes("the drop folder cannot be updated"));
  mkdirSync(drop);
  return { server, env };
}
