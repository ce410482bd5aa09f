/** Form fields that visitors do not fill in. */

/** Honeypot: hidden from people, filled in by bots. */
export const honeypotField = "homepage";

/** Milliseconds from page load to post. Set by script only, so it may be missing. */
export const elapsedField = "elapsed";

/** Ids of the files of an upload by script, in their order; its last post has them. */
export const filesField = "files";

/**
 * Headers of an upload by script. They say what the body is a file of; not in the URL, because URLs
 * are logged.
 */
export const uploadHeaders = {
  /** The secret token of its draft, which the browser makes up. */
  draft: "Upload-Draft",
  /** Asks for a turn to send files, in a post without a body. */
  turn: "Upload-Turn",
  /** The file's number in the upload. */
  number: "File-Number",
  field: "File-Field",
  /** The file's name, percent-encoded. */
  name: "File-Name",
} as const;
