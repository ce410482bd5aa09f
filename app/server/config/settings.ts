import path from "node:path";
import { program } from "../../brand.ts";
import type { BrandSettings } from "../content/brand.ts";
import { splitList } from "./rules.ts";
import { type DefaultedName, type SettingName, settings, variableOf } from "./settings-table.ts";
import type { Gathered } from "./sources.ts";

/** The settings as the program uses them, before any file of content has been looked into. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  /** The team is empty where nobody set it; then it is the brand's address. */
  mail: { url: string; from: string | undefined; to: string[]; timeoutMs: number } | undefined;
  retentionDays: number;
  uploadSlots: number;
  uploadQueue: number;
  /** Of these, for one address. */
  uploadSlotsPerAddress: number;
  maxStagedBytes: number;
  /** Of these, for forms of one address that came back. */
  maxDraftBytesPerClient: number;
  /** In ten minutes, for one address; 0 is no limit. */
  maxPosts: number;
  maxUploads: number;
  /** Addresses or networks of proxies whose word on the visitor's address is taken. */
  trustedProxies: string[];
  /** Addresses or networks that may ask for figures; nobody may where there are none. */
  metricsNetworks: string[];
  /** Posts that script sends sooner after the page are suspected; 0 suspects none. */
  minElapsedMs: number;
  /** Whether /test-forms is there. */
  testForms: boolean;
  logFormat: "text" | "json";
  /** Megabytes that must stay free on the disk for anything to be taken in; 0 does not look. */
  diskFloorMb: number;
  /** How long the same post again counts as the same request. */
  duplicateMs: number;
  limits: {
    connections: number;
    /** Of one request's headers. */
    headerBytes: number;
    /** How long a request's headers may take. */
    headerMs: number;
    /** Of a body; over this nobody reads on, not even to say what is wrong. */
    maxBodyBytes: number;
    /** How long the sender of a body may be silent. */
    maxIdleMs: number;
    /** Of a body, on average, once it has been waited for that long; 0 asks for nothing. */
    minBytesPerSecond: number;
  };
  /** Those that are made regularly; 0 is never. */
  backups: { everyMs: number; kept: number; folder: string };
  /** Undefined where nothing is set. */
  publicUrl: string | undefined;
  /** Undefined where the content that the program brings is served. */
  contentDir: string | undefined;
  brandSettings: BrandSettings;
}

/** Makes settings of what was given, with defaults for the rest; adds what goes together wrongly to the faults. */
export function settingsFrom({ given, faults }: Gathered): Settings {
  const value = (name: SettingName) => given.get(name)?.text;
  const certain = (name: DefaultedName) => value(name) ?? settings[name].default;
  const number = (name: DefaultedName) => Number(certain(name));
  const list = (name: SettingName) => splitList(value(name) ?? "");
  const dataDir = path.resolve(certain("DATA_DIR"));
  const url = value("MAIL_URL");
  const to = list("MAIL_TO");
  const publicUrl = value("PUBLIC_URL");
  // What goes together is judged once each by itself is right.
  if (faults.length === 0 && url && !url.startsWith("file:") && to.length === 0) {
    faults.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  }
  return {
    host: certain("HOST"),
    port: number("PORT"),
    dataDir,
    databaseFile: path.join(dataDir, program.databaseFile),
    mail: url
      ? { url, to, from: value("MAIL_FROM"), timeoutMs: number("MAIL_SECONDS") * 1000 }
      : undefined,
    retentionDays: number("RETENTION_DAYS"),
    uploadSlots: number("UPLOAD_SLOTS"),
    uploadQueue: number("UPLOAD_QUEUE"),
    uploadSlotsPerAddress: number("UPLOAD_SLOTS_PER_ADDRESS"),
    maxStagedBytes: number("STAGED_MB") * 1_048_576,
    maxDraftBytesPerClient: number("DRAFT_MB_PER_ADDRESS") * 1_048_576,
    maxPosts: number("POSTS_PER_10_MINUTES"),
    maxUploads: number("UPLOADS_PER_10_MINUTES"),
    trustedProxies: list("TRUSTED_PROXIES"),
    metricsNetworks: list("METRICS_NETWORKS"),
    minElapsedMs: number("SPAM_SECONDS") * 1000,
    testForms: certain("TEST_FORMS") === "on",
    logFormat: certain("LOG_FORMAT") as "text" | "json",
    diskFloorMb: number("DISK_FLOOR_MB"),
    duplicateMs: number("DUPLICATE_MINUTES") * 60_000,
    backups: {
      everyMs: number("BACKUP_HOURS") * 3_600_000,
      kept: number("BACKUPS_KEPT"),
      folder: path.join(dataDir, "backups"),
    },
    limits: {
      connections: number("CONNECTIONS"),
      headerBytes: number("HEADER_KB") * 1024,
      headerMs: number("HEADER_SECONDS") * 1000,
      maxBodyBytes: number("BODY_MB") * 1_048_576,
      maxIdleMs: number("IDLE_SECONDS") * 1000,
      minBytesPerSecond: number("MIN_BYTES_PER_SECOND"),
    },
    publicUrl: publicUrl && new URL(publicUrl).origin,
    contentDir: value("CONTENT_DIR"),
    brandSettings: {
      name: value("BRAND_NAME"),
      company: value("BRAND_COMPANY"),
      email: value("BRAND_EMAIL"),
    },
  };
}
