import { program } from "../../brand.ts";
import * as rules from "./rules.ts";

const prefix = program.settingPrefix;

/** Settings that limit what one client, or all clients together, may use. */
export const limits = {
  CLAMD: {
    description:
      "ClamAV's clamd as host:port, or the path of its Unix socket; each uploaded file is scanned, and none is taken while clamd does not respond",
    defaultDescription: "none; files are not scanned",
    rule: rules.scannerAddress,
  },
  UPLOAD_SLOTS: {
    description: "uploads received at the same time; each takes about 5 MB of memory",
    default: "6",
    rule: rules.wholeNumber(1, 100),
  },
  UPLOAD_QUEUE: {
    description: "uploads that wait for a slot; further ones are asked to try again in a minute",
    default: "12",
    rule: rules.wholeNumber(0, 1000),
  },
  UPLOAD_SLOTS_PER_ADDRESS: {
    description: `slots that one client address may use, besides three quarters of the queue; raise it if many of your users share one address, but keep it below ${prefix}UPLOAD_SLOTS, so that one client cannot block all others`,
    default: "3",
    rule: rules.wholeNumber(1, 100),
  },
  STAGED_MB: {
    description:
      "megabytes of received files that do not belong to a request yet, for all clients together; upload drafts may take half of it",
    default: "1024",
    rule: rules.wholeNumber(1, 1_000_000),
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
  CONNECTIONS: {
    description:
      "open connections at the same time; beyond that, the address with the most loses one for each new one",
    default: "2000",
    rule: rules.wholeNumber(10, 1_000_000),
  },
  IDLE_SECONDS: {
    description:
      "seconds without data after which a form that is being received is aborted; twice as many are the limit for a whole form without files, and for a client that accepts no more of a response",
    default: "30",
    rule: rules.wholeNumber(1, 3600),
  },
};
