/** Form fields that visitors do not fill in. */

/** Honeypot: hidden from people, filled in by bots. */
export const honeypotField = "homepage";

/** Milliseconds from page load to post. Set by script only, so it may be missing. */
export const elapsedField = "elapsed";
