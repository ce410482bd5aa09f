import path from "node:path";
import { program } from "../../brand.ts";
import type { BrandSettings } from "../content/brand.ts";
import { splitList } from "./rules.ts";
import { type DefaultedName, type SettingName, settings, variableOf } from "./settings-table.ts";
import type { GatheredSettings } from "./sources.ts";

/** Parsed settings. Content files, the brand's included, have not been read yet. */
export interface Settings {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  /** If `to` is empty, emails go to the brand's address. */
  mail: { url: string; from: string | undefined; to: string[]; timeoutMs: number } | undefined;
  retentionDays: number;
  uploadSlots: number;
  uploadQueue: number;
  /** Maximum number of upload slots for one client address. */
  uploadSlotsPerAddress: number;
  /** Limit for all staged files together. */
  maxStagedBytes: number;
  /** Limit for the upload drafts of one client address; they count towards maxStagedBytes. */
  maxDraftBytesPerClient: number;
  /** Posts without files per client address in ten minutes; 0 disables the limit. */
  maxPosts: number;
  /** Posts with files per client address in ten minutes; 0 disables the limit. */
  maxUploads: number;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  /** Addresses or networks that may read /metrics; if empty, /metrics does not exist. */
  metricsNetworks: string[];
  /** Posts sent sooner after page load are suspected spam; 0 disables the check. */
  minElapsedMs: number;
  /** Whether /test-forms exists. */
  testForms: boolean;
  logFormat: "text" | "json";
  /** Forms are rejected when fewer megabytes are free on the disk; 0 disables the check. */
  diskFloorMb: number;
  /** How long an identical post counts as a duplicate. */
  duplicateMs: number;
  limits: {
    connections: number;
    /** Maximum size of one request's headers. */
    headerBytes: number;
    /** Time within which a request's headers must arrive. */
    headerMs: number;
    /** Larger bodies are rejected unread. */
    maxBodyBytes: number;
    /** Longest pause within a body. */
    maxIdleMs: number;
    /** Minimum average rate of a body after the first maxIdleMs; 0 disables the check. */
    minBytesPerSecond: number;
  };
  /** Scheduled backups; an interval of 0 disables them. */
  backups: { intervalMs: number; keepCount: number; folder: string };
  publicUrl: string | undefined;
  /** Undefined if only built-in content is served. */
  contentDir: string | undefined;
  brandSettings: BrandSettings;
}

/** Returns the settings, with defaults for missing values; adds invalid combinations to `errors`. */
export function toSettings({ given, errors }: GatheredSettings): Settings {
  const value = (name: SettingName) => given.get(name)?.text;
  const requiredValue = (name: DefaultedName) => value(name) ?? settings[name].default;
  const number = (name: DefaultedName) => Number(requiredValue(name));
  const list = (name: SettingName) => splitList(value(name) ?? "");
  const dataDir = path.resolve(requiredValue("DATA_DIR"));
  const url = value("MAIL_URL");
  const to = list("MAIL_TO");
  const publicUrl = value("PUBLIC_URL");
  // Combinations are checked only if every single value is valid.
  if (errors.length === 0 && url && !url.startsWith("file:") && to.length === 0) {
    errors.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  }
  return {
    host: requiredValue("HOST"),
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
    testForms: requiredValue("TEST_FORMS") === "on",
    logFormat: requiredValue("LOG_FORMAT") as "text" | "json",
    diskFloorMb: number("DISK_FLOOR_MB"),
    duplicateMs: number("DUPLICATE_MINUTES") * 60_000,
    backups: {
      intervalMs: number("BACKUP_HOURS") * 3_600_000,
      keepCount: number("BACKUPS_KEPT"),
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
