/** Fields that no visitor fills in. */

/** Out of sight: only what fills in every field that it finds writes into it. */
export const honeypotField = "homepage";

/** Milliseconds from the page to the post, told by script alone. */
export const elapsedField = "elapsed";
