import * as rules from "./rules.ts";

/** Settings that limit what one client, or all clients together, may use. */
export const limits = {
  CLAMD: {
    description:
      "ClamAV's clamd as host:port, or the path of its Unix socket; each uploaded file is scanned, and none is taken while clamd does not respond",
    defaultDescription: "none; files are not scanned",
    rule: rules.scannerAddress,
  },
  UPLOAD_SLOTS: {
    description:
      "uploads received at the same time, at most half of them from one client address; each takes about 5 MB of memory",
    default: "6",
    rule: rules.wholeNumber(1, 100),
  },
  POSTS_PER_10_MINUTES: {
    description:
      "forms without files that one client address may send in ten minutes; 0 is unlimited; raise it if many of your users share one address",
    default: "60",
    rule: rules.wholeNumber(0, 1_000_000),
  },
  UPLOADS_PER_10_MINUTES: {
    description: "forms with files that one client address may send in ten minutes; 0 is unlimited",
    default: "20",
    rule: rules.wholeNumber(0, 1_000_000),
  },
  SPAM_SECONDS: {
    description:
      "a form that script sends within this many seconds of loading its page comes back, to be sent again; 0 turns the check off",
    default: "3",
    rule: rules.wholeNumber(0, 3600),
  },
};
