import { createHash, randomBytes } from "node:crypto";

/** A secret of 128 random bits, or of more, for use in a URL or a form. */
export const newToken = (bits = 128) => randomBytes(bits / 8).toString("base64url");

/** The hash of a token. The database stores only this, so that reading it gives no access. */
export const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
