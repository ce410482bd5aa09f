import type { IncomingMessage } from "node:http";
import { BlockList, isIPv6 } from "node:net";

/**
 * Returns a function that checks whether an address is in one of the networks (10.0.0.0/8, or
 * single addresses).
 */
export function networkList(networks: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split("/") as [string, string | undefined];
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/**
 * Returns the client's address: the last one in X-Forwarded-For that is not a trusted proxy, or the
 * socket's address. Undefined if the forwarding header comes from an untrusted peer.
 */
export function clientAddressOf(
  { socket, headers }: IncomingMessage,
  isTrustedProxy: (address: string) => boolean,
): string | undefined {
  const forwarded = headers["x-forwarded-for"] ?? headers.forwarded;
  const chain = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  let address = socket.remoteAddress ?? "";
  if (forwarded === undefined) return address;
  if (!isTrustedProxy(address)) return undefined;
  while (isTrustedProxy(address) && chain.length > 0) address = chain.pop()!.trim();
  return address;
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
