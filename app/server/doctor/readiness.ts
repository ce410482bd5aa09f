import { once } from "node:events";
import { get, type IncomingMessage, type RequestOptions } from "node:http";
import { json } from "node:stream/consumers";
import type { Settings } from "../config/settings.ts";
import { addressText, type ServerAddress } from "../server-address.ts";

export interface Readiness {
  isReady: boolean;
  /** Result of each check; undefined without a valid response. */
  checks: Record<string, string> | undefined;
  /** Summary for people. */
  text: string;
}

/** Fetches /readyz from the server that runs with these settings. */
export async function fetchReadiness({
  listenAddress,
}: Pick<Settings, "listenAddress">): Promise<Readiness> {
  if ("port" in listenAddress && listenAddress.port === 0) {
    return {
      isReady: false,
      checks: undefined,
      text: "the port is 0 (any free port), so the server's port is unknown",
    };
  }
  try {
    // `fetch` takes twice as long to load as the whole command.
    const request = get({
      ...reachable(listenAddress),
      path: "/readyz",
      signal: AbortSignal.timeout(5000),
    });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const checks = (await json(response)) as Record<string, string>;
    const failed = Object.entries(checks).filter(([, result]) => result !== "ok");
    const text = failed.map(([check, result]) => `${check}: ${result}`).join(", ") || "ready";
    return { isReady: response.statusCode === 200 && failed.length === 0, checks, text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `no valid response from ${addressText(listenAddress)}: ${code ?? message}`;
    return { isReady: false, checks: undefined, text };
  }
}

/** Where to connect to; 0.0.0.0 and :: are for listening only. */
function reachable(address: ServerAddress): RequestOptions {
  if ("path" in address) return { socketPath: address.path };
  const { host, port } = address;
  const local: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  return { host: local[host] ?? host, port };
}
