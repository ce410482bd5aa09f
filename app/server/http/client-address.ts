import type { IncomingMessage } from "node:http";
import { BlockList, isIPv6 } from "node:net";

/** Tells whether an address lies in one of some networks. @param networks as in 10.0.0.0/8, or single addresses */
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
 * Who has sent a request: the last in the chain of forwarded addresses that is none of our proxies.
 * Undefined where somebody says to have forwarded it whom nobody has told us to believe: then it may
 * have come from anywhere.
 */
export function clientAddressOf(
  { socket, headers }: IncomingMessage,
  isOurProxy: (address: string) => boolean,
): string | undefined {
  const forwarded = headers["x-forwarded-for"] ?? headers.forwarded;
  const chain = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  let address = socket.remoteAddress ?? "";
  if (forwarded === undefined) return address;
  if (!isOurProxy(address)) return undefined;
  while (isOurProxy(address) && chain.length > 0) address = chain.pop()!.trim();
  return address;
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
