import { getCACertificates, rootCertificates } from "node:tls";

/** Returns the certificates of the authorities by which servers are trusted: Node's, and this machine's own. */
export const trustedAuthorities = (): string[] => [
  ...rootCertificates,
  ...getCACertificates("system"),
];
