import { isIPv6 } from "node:net";
import type { Settings } from "../config/settings.ts";

export interface Readiness {
  isReady: boolean;
  /** Each check and its word; undefined where nobody answers as we would. */
  checks: Record<string, string> | undefined;
  /** For people. */
  text: string;
}

/** Asks the server that runs with these settings whether it can take a form. */
export async function askReadiness({
  host,
  port,
}: Pick<Settings, "host" | "port">): Promise<Readiness> {
  if (port === 0) {
    return {
      isReady: false,
      checks: undefined,
      text: "the port is any free one, so none is known",
    };
  }
  try {
    const answer = await fetch(`http://${reachable(host)}:${port}/readyz`, {
      signal: AbortSignal.timeout(5000),
    });
    const checks = (await answer.json()) as Record<string, string>;
    const bad = Object.entries(checks).filter(([, word]) => word !== "ok");
    const text = bad.map(([check, word]) => `${check}: ${word}`).join(", ") || "ready";
    return { isReady: answer.ok && bad.length === 0, checks, text };
  } catch (error) {
    const { cause, message } = error as { cause?: { code?: string }; message: string };
    const text = `nobody answers as expected on ${host}:${port}: ${cause?.code ?? message}`;
    return { isReady: false, checks: undefined, text };
  }
}

/** A server that listens on all addresses is asked on this machine's own. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}
