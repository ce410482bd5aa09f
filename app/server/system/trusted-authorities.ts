import { getCACertificates } from "node:tls";

/** Returns the certificates of all trusted authorities: Node's, those of NODE_EXTRA_CA_CERTS, and this machine's. */
export const trustedAuthorities = (): string[] => [
  ...new Set([...getCACertificates("default"), ...getCACertificates("system")]),
];
