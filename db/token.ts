import { createHash, randomBytes } from "node:crypto";

/** A secret for a URL or a form. @param bits its number of random bits, a multiple of 8 */
export const newToken = (bits = 128) => randomBytes(bits / 8).toString("base64url");

/** The hash of a token. The database stores only this, so that reading it gives no access. */
export const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
