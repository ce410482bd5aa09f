import { getCACertificates, rootCertificates } from "node:tls";

/** Authorities that servers of the institution are trusted by: Node's, and this machine's own. */
export const trustedAuthorities = (): string[] => [
  ...rootCertificates,
  ...getCACertificates("system"),
];
