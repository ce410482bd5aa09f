import { accessSync, constants, existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { isInUse } from "#db/sqlite/examine.ts";
import { program } from "../../brand.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { addressText, type ServerAddress, socketState } from "../server-address.ts";
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

/** What is said of the address to listen on. */
interface Listening {
  check: "port" | "socket";
  text: string;
  /** The setting that moves it. */
  variable: string;
}

/**
 * Checks that the port or socket is free, or in use by the server of this database and that server
 * is ready.
 */
export async function checkListenAddress(settings: Settings): Promise<Finding[]> {
  const { listenAddress, databaseFile } = settings;
  const isSocket = "path" in listenAddress;
  const listening: Listening = {
    check: isSocket ? "socket" : "port",
    text: addressText(listenAddress),
    variable: variableOf(isSocket ? "HOST" : "PORT"),
  };
  const { check, text, variable } = listening;
  const isAnyPort = !isSocket && listenAddress.port === 0;
  const isServing = existsSync(databaseFile) && (await isInUse(databaseFile));
  const listenError = isSocket
    ? await socketError(listenAddress.path)
    : await tryListening(listenAddress);
  if (isServing && !isAnyPort) {
    if (listenError) return [await serverFinding(settings, listening)];
    const remedy = `run this command with the settings that the server was started with (${variable})`;
    return [warn(check, `a server is running, but not on ${text}`, remedy)];
  }
  if (!listenError) return [ok(check, isAnyPort ? "any free port" : `${text} is free`)];
  if (listenError === "EADDRINUSE") return [await takenFinding(settings, listening)];
  return [isSocket ? socketFinding(listenError, text) : portFinding(listenError, text)];
}

/** Whether the server of this database file is ready. */
async function serverFinding(settings: Settings, { check, text }: Listening): Promise<Finding> {
  const readiness = await fetchReadiness(settings);
  if (readiness.isReady) return ok(check, `the server on ${text} is ready`);
  const remedy = "fix the failed checks; see the server's log";
  return fail(check, `the server on ${text} is not ready: ${readiness.text}`, remedy);
}

/** What uses the address: a server of a database server, one of another file, or another program. */
async function takenFinding(settings: Settings, listening: Listening): Promise<Finding> {
  const { check, text, variable } = listening;
  const { isOurs, isReady, text: reason } = await fetchReadiness(settings);
  if (!isOurs) {
    const remedy = `stop the other program, or set ${variable} to another ${check}`;
    return fail(check, `${text} is taken by another program`, remedy);
  }
  if (settings.databaseUrl === undefined) {
    const remedy = `run this command with the settings of that server (--config), or set ${variable} to another ${check} for a second one`;
    const found = `${text} is taken by a ${program.command} server with other settings`;
    return fail(check, found, remedy);
  }
  const state = isReady ? "ready" : `not ready: ${reason}`;
  const found = `a ${program.command} server on ${text} is ${state}`;
  return isReady ? ok(check, found) : fail(check, found, "see the server's log");
}

function portFinding(code: string, text: string): Finding {
  const remedy =
    code === "EACCES"
      ? `set ${variableOf("PORT")} to 1024 or higher, and put a proxy in front of it`
      : `set ${variableOf("HOST")} to an address of this machine`;
  return fail("port", `${text} cannot be used: ${code}`, remedy);
}

function socketFinding(code: string, file: string): Finding {
  const folder = path.dirname(file);
  // Under systemd the folder exists only while the server runs.
  if (code === "ENOENT") {
    const remedy = `start the server under systemd with RuntimeDirectory=${path.basename(folder)}, or create the folder`;
    return warn("socket", `its folder ${folder} does not exist`, remedy);
  }
  const remedy = `set ${variableOf("HOST")} to a path where no file is, in a folder that this account can write to`;
  return fail("socket", `${file} cannot be used: ${code}`, remedy);
}

/** Returns why a server could not listen there, as an error code, without creating the file. */
async function socketError(file: string): Promise<string | undefined> {
  const state = await socketState(file);
  if (state === "live") return "EADDRINUSE";
  if (state === "another file") return "EEXIST";
  try {
    accessSync(path.dirname(file), constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Returns the error code if listening fails, otherwise undefined. */
function tryListening(address: ServerAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(address, () => server.close(() => resolve(undefined)));
  });
}
