/** Form fields that visitors do not fill in. */

/** Honeypot: hidden from people, filled in by bots. */
export const honeypotField = "homepage";

/** Milliseconds from page load to post. Set by script only, so it may be missing. */
export const elapsedField = "elapsed";

/** A field of the last post of an upload by script: the ids of the upload's files, in order. */
export const filesField = "files";

/** Headers of the requests of an upload by script. Their values are not in the URL, because URLs are logged. */
export const uploadHeaders = {
  /** The secret token of the upload's draft, which the browser makes up. */
  draft: "Upload-Draft",
  /** Asks for a turn to send files, in a post without a body. */
  turn: "Upload-Turn",
  /** The file's number in the upload. */
  number: "File-Number",
  field: "File-Field",
  /** The file's name, percent-encoded. */
  name: "File-Name",
} as const;
