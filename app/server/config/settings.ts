import path from "node:path";
import { program } from "../../brand.ts";
import type { ServerAddress } from "../server-address.ts";
import {
  fileVariableOf,
  type SettingName,
  settingNames,
  settingOf,
  type Values,
  variableOf,
} from "./settings-table.ts";
import { type Entry, readSecret, readSources, type Sources } from "./sources.ts";

export interface ParsedSettings {
  /** An invalid value is replaced by its default. */
  settings: Settings;
  /** The valid values that a source sets, with that source. */
  given: Map<SettingName, Given>;
  /** Each names its variable, flag or line. */
  errors: string[];
}

type Given = Entry & { value: unknown };

/** The parts of the server get these. Content files, the brand's included, have not been read yet. */
export type Settings = ReturnType<typeof settingsFrom>;

/** Thrown for invalid settings, with every error found. */
export class SettingsError extends Error {
  readonly messages: string[];

  constructor(messages: string[]) {
    super(messages.join("\n"));
    this.messages = messages;
  }
}

/** @throws SettingsError */
export function readSettings(sources: Sources): Settings {
  const { settings, errors } = parseSettings(sources);
  if (errors.length > 0) throw new SettingsError(errors);
  return settings;
}

/** Limits that no operator has a reason to change. */
const fixedLimits = {
  /** The default of Node and of most proxies; a browser sends 1 to 2 kB. */
  headerBytes: 16 * 1024,
  /** Headers fit into a few packets, which a slow line delivers within seconds. */
  headerMs: 15_000,
  /**
   * Larger bodies are rejected unread. Beyond the 120 MB of the largest form, so that a visitor who
   * sends too much gets the form back with an explanation. docs/operating.md sets the same in nginx.
   */
  maxBodyBytes: 512 * 1_048_576,
  /** Minimum average rate of a body after its first maxIdleMs. A GPRS line is ten times as fast. */
  minBytesPerSecond: 500,
};

/** Longer than a visitor waits before pressing “Send” again, too short to be a second request. */
const duplicateMs = 10 * 60_000;

/** Parses all settings. Flags override the environment, which overrides the file. */
export function parseSettings(sources: Sources): ParsedSettings {
  const read = readSources(sources);
  const entries = read.flatMap((item) => ("error" in item ? [] : [item]));
  const errors = read.flatMap((item) => ("error" in item ? [item.error] : []));
  const given: ParsedSettings["given"] = new Map();
  for (const name of settingNames) {
    const found = find(name, entries);
    if (found && "error" in found) errors.push(found.error);
    else if (found) given.set(name, found);
  }
  const value = (name: SettingName) => {
    const { rule, default: text } = settingOf(name);
    return given.get(name)?.value ?? (text === undefined ? undefined : rule.parse(text));
  };
  const settings = settingsFrom(
    Object.fromEntries(settingNames.map((name) => [name, value(name)])) as Values,
  );
  const { mail } = settings;
  // Combinations are checked only if every single value is valid.
  if (errors.length === 0 && mail && !mail.url.startsWith("file:") && mail.to.length === 0) {
    errors.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  }
  if (errors.length === 0 && given.has("WEBHOOK_URL") !== given.has("WEBHOOK_SECRET")) {
    errors.push(
      `${variableOf("WEBHOOK_URL")} and ${variableOf("WEBHOOK_SECRET")} are needed together.`,
    );
  }
  const hours = given.get("BACKUP_HOURS");
  if (settings.databaseUrl !== undefined && hours && hours.value !== 0) {
    errors.push(
      `${hours.label} cannot be used with ${variableOf("DATABASE_URL")}: that database's administrator makes its backups.`,
    );
  }
  return { settings, given, errors };
}

/** Returns the value that the sources set for a setting, or what is wrong with it. */
function find(name: SettingName, entries: Entry[]): Given | { error: string } | undefined {
  const first = (variable: string) => entries.find((entry) => entry.variable === variable);
  const { rule, isSecret } = settingOf(name);
  const direct = first(variableOf(name));
  const secretFile = isSecret && first(fileVariableOf(name));
  if (direct && secretFile) {
    return { error: `Set ${direct.label} or ${secretFile.label}, not both.` };
  }
  const entry = secretFile ? readSecret(secretFile) : direct;
  if (!entry || "error" in entry) return entry;
  const result = rule.safeParse(entry.text);
  return result.success
    ? { ...entry, value: result.data }
    : { error: `${entry.label} ${result.error.issues[0]!.message}.` };
}

const listenAddressFrom = ({ HOST: host, PORT: port }: Values): ServerAddress =>
  host.startsWith("/") ? { path: host } : { host, port };

function settingsFrom(values: Values) {
  const dataDir = path.resolve(values.DATA_DIR);
  const maxStagedBytes = values.STAGED_MB * 1_048_576;
  const { MAIL_URL: url, MAIL_TO: to = [], MAIL_FROM: from, MAIL_SECONDS } = values;
  const maxAttachedBytes = values.MAIL_ATTACHMENTS_MB * 1_048_576;
  return {
    listenAddress: listenAddressFrom(values),
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    formOrigins: values.FORM_ORIGINS ?? [],
    dataDir,
    databaseFile: path.join(dataDir, program.databaseFile),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    retentionDays: values.RETENTION_DAYS,
    backups: {
      /** 0 turns scheduled backups off. Those of a PostgreSQL database are its administrator's. */
      intervalMs: values.DATABASE_URL === undefined ? values.BACKUP_HOURS * 3_600_000 : 0,
      keepCount: values.BACKUPS_KEPT,
      folder: path.join(dataDir, "backups"),
    },
    /** A copy of the files of each request, in a folder of its own; none if undefined. */
    dropFolder: values.DROP_DIR && path.resolve(values.DROP_DIR),
    diskFloorMb: values.DISK_FLOOR_MB,
    /** If `to` is empty, emails go to the brand's address. */
    mail:
      url === undefined
        ? undefined
        : { url, to, from, timeoutMs: MAIL_SECONDS * 1000, maxAttachedBytes },
    /** Whether visitors get an email that their request was received. */
    acknowledgesRequests: values.MAIL_ACKNOWLEDGE === "on",
    /** The receiver of webhooks; none are sent if undefined. */
    webhook: webhookFrom(values),
    brandSettings: {
      name: values.BRAND_NAME,
      company: values.BRAND_COMPANY,
      email: values.BRAND_EMAIL,
    },
    contentDir: values.CONTENT_DIR,
    /** Whether /test-forms exists. */
    testForms: (values.TEST_FORMS ?? (values.PUBLIC_URL ? "off" : "on")) === "on",
    logFormat: values.LOG_FORMAT,
    /** If empty, /metrics does not exist. */
    metricsNetworks: values.METRICS_NETWORKS ?? [],
    /** Of the virus scanner; files are not scanned if undefined. */
    scannerAddress: values.CLAMD,
    uploadSlots: values.UPLOAD_SLOTS,
    uploadQueue: values.UPLOAD_QUEUE,
    uploadSlotsPerAddress: values.UPLOAD_SLOTS_PER_ADDRESS,
    maxStagedBytes,
    /** A quarter, so that one client's upload drafts cannot fill the space that all share. */
    maxDraftBytesPerClient: maxStagedBytes / 4,
    maxPosts: values.POSTS_PER_10_MINUTES,
    maxUploads: values.UPLOADS_PER_10_MINUTES,
    /** Posts sent sooner after page load are to be sent again; 0 turns the check off. */
    minElapsedMs: values.SPAM_SECONDS * 1000,
    duplicateMs,
    limits: limitsFrom(values),
  };
}

const webhookFrom = ({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret }: Values) =>
  url === undefined || secret === undefined ? undefined : { url, secret };

const limitsFrom = ({ CONNECTIONS, IDLE_SECONDS }: Values) => ({
  ...fixedLimits,
  connections: CONNECTIONS,
  /** Longest pause within a body. */
  maxIdleMs: IDLE_SECONDS * 1000,
  /** Longest time for a body without files. */
  maxTextMs: IDLE_SECONDS * 2000,
  /** Longest time that a client may take none of a response. */
  writeTimeoutMs: IDLE_SECONDS * 2000,
});
