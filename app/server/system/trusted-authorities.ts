import { getCACertificates, rootCertificates } from "node:tls";

/** Certificates of the authorities that servers are trusted by: Node's, and this machine's own. */
export const trustedAuthorities = (): string[] => [
  ...rootCertificates,
  ...getCACertificates("system"),
];
