import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { json } from "node:stream/consumers";
import type { Settings } from "../config/settings.ts";

export interface Readiness {
  isReady: boolean;
  /** Result of each check; undefined without a valid response. */
  checks: Record<string, string> | undefined;
  /** Summary for people. */
  text: string;
}

/** Fetches /readyz from the server that runs with these settings. */
export async function fetchReadiness({
  host,
  port,
}: Pick<Settings, "host" | "port">): Promise<Readiness> {
  if (port === 0) {
    return {
      isReady: false,
      checks: undefined,
      text: "the port is 0 (any free port), so the server's port is unknown",
    };
  }
  try {
    // `fetch` takes twice as long to load as the whole command.
    const request = get(`http://${reachable(host)}:${port}/readyz`, {
      signal: AbortSignal.timeout(5000),
    });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const checks = (await json(response)) as Record<string, string>;
    const failed = Object.entries(checks).filter(([, result]) => result !== "ok");
    const text = failed.map(([check, result]) => `${check}: ${result}`).join(", ") || "ready";
    return { isReady: response.statusCode === 200 && failed.length === 0, checks, text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `no valid response from ${host}:${port}: ${code ?? message}`;
    return { isReady: false, checks: undefined, text };
  }
}

/** Returns an address to connect to; 0.0.0.0 and :: are for listening only. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
