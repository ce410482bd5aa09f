import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { isInUse } from "#db/sqlite/examine.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { askReadiness } from "./readiness.ts";

export function checkPublicUrl({ publicUrl }: Settings): Finding[] {
  const variable = variableOf("PUBLIC_URL");
  if (publicUrl === undefined) {
    return [
      warn(
        "public address",
        "none is set: the feed, the sitemap and shared links say localhost",
        `set ${variable}, such as ${variable}=https://marking.school.example`,
      ),
    ];
  }
  if (publicUrl.startsWith("http:")) {
    const remedy = `put the site behind a proxy with TLS, and set ${variable} to https://…`;
    return [
      warn("public address", `${publicUrl}: what visitors send can be read on its way`, remedy),
    ];
  }
  return [ok("public address", publicUrl)];
}

/** The port is free for a server to start, or taken by the one that works with this database. */
export async function checkPort(settings: Settings): Promise<Finding[]> {
  const { host, port, databaseFile } = settings;
  const place = `${host}:${port}`;
  const isServing = existsSync(databaseFile) && (await isInUse(databaseFile));
  const fault = await tryListening(host, port);
  if (isServing && port !== 0) {
    const otherPort = `give this command the settings that the server was started with (${variableOf("PORT")})`;
    if (!fault) return [warn("port", `a server runs, but not on ${place}`, otherPort)];
    const { isReady, text } = await askReadiness(settings);
    if (isReady) return [ok("port", `${place}, a server is ready there`)];
    const remedy = "look at what it names, and into its log";
    return [fail("port", `the server on ${place} is not ready: ${text}`, remedy)];
  }
  if (!fault) return [ok("port", port === 0 ? "any free one" : `${place} is free`)];
  if (fault === "EADDRINUSE") {
    const remedy = `end the other program, or set ${variableOf("PORT")} to another port`;
    return [fail("port", `${place} is taken by another program`, remedy)];
  }
  const remedy =
    fault === "EACCES"
      ? `set ${variableOf("PORT")} to 1024 or more, and let a proxy stand in front`
      : `set ${variableOf("HOST")} to an address of this machine`;
  return [fail("port", `${place} cannot be used: ${fault}`, remedy)];
}

/** Returns why nobody could listen there, or undefined. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
