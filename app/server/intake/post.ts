import type { Store } from "#db/store.ts";
import type { IncomingPost } from "../../domain/incoming-post.ts";
import type { FairShare } from "../fair-share.ts";
import type { Log } from "../log.ts";
import type { VirusScanner } from "../virus-scanner.ts";
import type { DraftQuota } from "./draft-quota.ts";
import type { ReadPost } from "./read-post.ts";
import type { Slots } from "./slots.ts";
import type { WriteToVisitor } from "./write-to-visitor.ts";

/** One post of a form. */
export interface Post extends IncomingPost {
  /** "page": the body is an HTML form's. "api": it is what an endpoint takes. */
  from: "page" | "api";
  /** Called with the number of bytes of each chunk of the body. */
  onBytes?: (bytes: number) => void;
}

/** What receiving a post depends on. */
export interface IntakeDependencies {
  store: Store;
  takeSlot: Slots["take"];
  /** Whether the disk has the space that must stay free. Throws Unavailable if the database is gone. */
  hasFreeSpace(): Promise<boolean>;
  /** Undefined if files are not scanned. */
  scanner: VirusScanner | undefined;
  /** Limit for the staged files of all clients together. */
  maxStagedBytes: number;
  /** The posts that are being received. */
  activePosts: Set<ReadPost>;
  draftQuota: DraftQuota;
  /** Whether `?test` marks a post as a test. */
  acceptsTests: boolean;
  /** Bytes of texts that are being received, for all clients together. */
  textMemory: FairShare;
  /** Posts that arrive sooner after the page load are to be sent again. */
  minElapsedMs: number;
  productName: string;
  writeToVisitor: WriteToVisitor;
  /** Whether a receiver of webhooks is set. */
  hasWebhook: boolean;
  now: () => Date;
  log: Log;
}
