/**
 * Says that a file is not shown, as the rest of a sentence that begins with its name.
 * @param page at which rendering stopped
 */
export const notRendered = (cause: string, page?: number) =>
  `${cause}${page ? ` (page ${page})` : ""}. ${markTheOriginal}`;

/** What a marker does with a file that is not shown. Left out for a class's scan, which is not marked itself. */
export const markTheOriginal = "It was not rendered; mark it from the original.";

export const tooMuchMemory = "needs more memory than one script may use";
export const protectedByPassword = "is protected by a password; ask for it without.";

/** A file that cannot be shown; the message is the rest of a sentence that begins with its name. */
export class RenderFailure extends Error {}
