/** What private links begin with. */
import type { Config } from "./load-config.ts";

type Origins = Pick<Config, "publicUrl" | "listenAddress" | "mail">;

/** The address of the site on this machine. */
export const localOrigin = ({ listenAddress }: Pick<Config, "listenAddress">): string =>
  "path" in listenAddress ? "http://localhost" : `http://localhost:${listenAddress.port}`;

/**
 * The public URL, or this machine's own where no mail server could bring a link to another one; undefined if
 * neither is known.
 */
export function linkOrigin(config: Origins): string | undefined {
  const { publicUrl, mail, listenAddress } = config;
  const isLocal = (mail === undefined || mail.url.startsWith("file:")) && "port" in listenAddress;
  return publicUrl ?? (isLocal ? localOrigin(config) : undefined);
}
