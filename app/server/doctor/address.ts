import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { isInUse } from "#db/sqlite/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { fetchReadiness } from "./readiness.ts";

export function checkPublicUrl({ publicUrl }: Settings): Finding[] {
  const variable = variableOf("PUBLIC_URL");
  if (publicUrl === undefined) {
    return [
      warn(
        "public address",
        "not set: the feed, the sitemap and shared links point to localhost",
        `set ${variable}, for example ${variable}=https://marking.school.example`,
      ),
    ];
  }
  if (publicUrl.startsWith("http:")) {
    const remedy = `put the site behind a proxy with TLS, and set ${variable} to https://…`;
    return [
      warn("public address", `${publicUrl} is not encrypted: visitors' data can be read`, remedy),
    ];
  }
  return [ok("public address", publicUrl)];
}

/**
 * Checks that the port is free, or in use by the server of this database and that server is ready.
 */
export async function checkPort(settings: Settings): Promise<Finding[]> {
  const { host, port, databaseFile } = settings;
  const address = `${host}:${port}`;
  const isServing = existsSync(databaseFile) && (await isInUse(databaseFile));
  const listenError = await tryListening(host, port);
  if (isServing && port !== 0) {
    if (listenError) return [await serverFinding(settings, address)];
    const remedy = `run this command with the settings that the server was started with (${variableOf("PORT")})`;
    return [warn("port", `a server is running, but not on ${address}`, remedy)];
  }
  if (!listenError) return [ok("port", port === 0 ? "any free port" : `${address} is free`)];
  if (listenError === "EADDRINUSE") return [await takenPortFinding(settings, address)];
  const remedy =
    listenError === "EACCES"
      ? `set ${variableOf("PORT")} to 1024 or higher, and put a proxy in front of it`
      : `set ${variableOf("HOST")} to an address of this machine`;
  return [fail("port", `${address} cannot be used: ${listenError}`, remedy)];
}

/** Whether the server of this database file is ready. */
async function serverFinding(settings: Settings, address: string): Promise<Finding> {
  const { isReady, text } = await fetchReadiness(settings);
  if (isReady) return ok("port", `the server on ${address} is ready`);
  const remedy = "fix the failed checks; see the server's log";
  return fail("port", `the server on ${address} is not ready: ${text}`, remedy);
}

/** What uses the port: a server of a database server, one of another file, or another program. */
async function takenPortFinding(settings: Settings, address: string): Promise<Finding> {
  const { checks, isReady, text } = await fetchReadiness(settings);
  const isOurProgram = checks !== undefined && "serving" in checks;
  if (!isOurProgram) {
    const remedy = `stop the other program, or set ${variableOf("PORT")} to another port`;
    return fail("port", `${address} is taken by another program`, remedy);
  }
  if (settings.databaseUrl === undefined) {
    const remedy = `run this command with the settings of that server (--config), or set ${variableOf("PORT")} to another port for a second one`;
    const found = `${address} is taken by a ${program.command} server with other settings`;
    return fail("port", found, remedy);
  }
  const state = isReady ? "ready" : `not ready: ${text}`;
  const found = `a ${program.command} server on ${address} is ${state}`;
  return isReady ? ok("port", found) : fail("port", found, "see the server's log");
}

/** Returns the error code if listening fails, otherwise undefined. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
