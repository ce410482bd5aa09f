import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Scope } from "./at-end.ts";
import { localMetrics, newFolder, startServer, until } from "./server.ts";
import { uploadByApi, uploadForm } from "./upload.ts";

/** Starts a server that could not write its drop folder, which is there again, and has not tried anew. */
export async function startWithFailedDrop(t: Scope, folder = newFolder(t)) {
  const drop = path.join(folder, "drop");
  mkdirSync(drop);
  const env = { RUBRICON_DROP_DIR: drop };
  const server = await startServer(t, { folder, env: { ...env, ...localMetrics } });
  rmSync(drop, { recursive: true });
  assert.equal((await uploadByApi(server.url, uploadForm())).status, 201);
  await until(() => server.log().includes("the drop folder cannot be updated"));
  mkdirSync(drop);
  return { server, env };
}
