/** The origin of private links: scheme, host and port. */
import type { Config } from "./load-config.ts";

type Origins = Pick<Config, "publicUrl" | "listenAddress" | "mail">;

/** Returns the address of the site on this machine. */
export function localOrigin({ listenAddress }: Pick<Config, "listenAddress">): string {
  if ("path" in listenAddress) return "http://localhost";
  const { host, port } = listenAddress;
  const includesLocalhost = /^(localhost|127\..*|0\.0\.0\.0|::1?)$/.test(host);
  // A URL cannot name the network interface of a link-local address.
  const name = host.includes(":") ? `[${host.replace(/%.*/, "")}]` : host;
  return `http://${includesLocalhost ? "localhost" : name}:${port}`;
}

/**
 * Returns the public URL. Without one, returns the address of the site on this machine, or undefined if that is a Unix
 * socket or a mail server could send the link to another machine.
 */
export function linkOrigin(config: Origins): string | undefined {
  const { publicUrl, mail, listenAddress } = config;
  const isLocal = (mail === undefined || mail.url.startsWith("file:")) && "port" in listenAddress;
  return publicUrl ?? (isLocal ? localOrigin(config) : undefined);
}
