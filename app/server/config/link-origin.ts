/** What private links begin with. */
import type { Config } from "./load-config.ts";

type Origins = Pick<Config, "publicUrl" | "listenAddress" | "mail">;

/** Returns the address of the site on this machine. */
export const localOrigin = ({ listenAddress }: Pick<Config, "listenAddress">): string =>
  "path" in listenAddress ? "http://localhost" : `http://localhost:${listenAddress.port}`;

/**
 * Returns the public URL. Without one, returns the address of the site on this machine if it has a port and no mail
 * server could send the link to another machine, and otherwise undefined.
 */
export function linkOrigin(config: Origins): string | undefined {
  const { publicUrl, mail, listenAddress } = config;
  const isLocal = (mail === undefined || mail.url.startsWith("file:")) && "port" in listenAddress;
  return publicUrl ?? (isLocal ? localOrigin(config) : undefined);
}
