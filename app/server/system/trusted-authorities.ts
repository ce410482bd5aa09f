import { getCACertificates } from "node:tls";

/**
 * Returns the certificates of the authorities by which servers are trusted: Node's, with those of NODE_EXTRA_CA_CERTS, and
 * this machine's own.
 */
export const trustedAuthorities = (): string[] => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
];
