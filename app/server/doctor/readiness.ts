import { once } from "node:events";
import { get, type IncomingMessage, type RequestOptions } from "node:http";
import { isIP } from "node:net";
import { json } from "node:stream/consumers";
import { addressText, type ServerAddress } from "../config/server-address.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";

export interface Readiness {
  isReady: boolean;
  /** Whether a server of this program responded. */
  isOurs: boolean;
  /** Result of each check; empty unless METRICS_NETWORKS has the address that `askingAddress` returns. */
  checks: Record<string, string>;
  /** Summary for people. */
  text: string;
}

/** Longer than any of the server's own checks may take. The check of the virus scanner takes longest. */
const timeoutMs = 5000;

/** Fetches /readyz from the server that runs with these settings. */
export async function fetchReadiness({
  listenAddress,
}: Pick<Settings, "listenAddress">): Promise<Readiness> {
  if ("port" in listenAddress && listenAddress.port === 0) {
    const text = "the port is 0 (any free port), so the server's port is unknown";
    return { ...noResponse, text };
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // Not `fetch`, which takes twice as long to load as the whole command.
    const request = get({ ...reachable(listenAddress), path: "/readyz", signal });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const { ready, checks = {} } = (await json(response)) as {
      ready?: boolean;
      checks?: Record<string, string>;
    };
    const failed = Object.entries(checks).filter(([, result]) => result !== "ok");
    const reasons = failed.map(([check, result]) => `${check}: ${result}`).join(", ");
    return {
      isReady: ready === true,
      isOurs: ready !== undefined,
      checks,
      text: ready ? "ready" : reasons || whereToLook(listenAddress),
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = signal.aborted ? `none within ${timeoutMs / 1000} seconds` : (code ?? message);
    const text = `no valid response from ${addressText(listenAddress)}: ${reason}`;
    return { ...noResponse, text };
  }
}

const noResponse = { isReady: false, isOurs: false, checks: {} };

const whereToLook = (address: ServerAddress) =>
  `the server's log has the reason; it is shown here if ${variableOf("METRICS_NETWORKS")} lists this machine's address, ${askingAddress(address)}`;

/** 0.0.0.0 and :: are for listening only, so this machine's address replaces them. */
const localAddresses: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

const socketClient = "127.0.0.1";

/** The client address that the server sees when a command on this machine asks it. */
export function askingAddress(address: ServerAddress): string {
  if ("path" in address) return socketClient;
  const host = localAddresses[address.host] ?? address.host;
  return isIP(host) ? host : `the address of ${host}`;
}

/** Returns where to connect to, and for a Unix socket the header by which the server knows its client. */
function reachable(address: ServerAddress): RequestOptions {
  if ("path" in address) {
    return { socketPath: address.path, headers: { "X-Forwarded-For": socketClient } };
  }
  const { host, port } = address;
  return { host: localAddresses[host] ?? host, port };
}
