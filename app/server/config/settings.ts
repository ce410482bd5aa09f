import path from "node:path";
import { program } from "../../brand.ts";
import { hourMs } from "../../domain/duration.ts";
import type { ServerAddress } from "./server-address.ts";
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
  /** The settings, with defaults in place of invalid values. */
  settings: Settings;
  /** The valid values, each with the source that sets it. */
  given: Map<SettingName, Given>;
  /** Sentences, each with the variable, flag or line that is wrong. */
  errors: string[];
  /** Sentences, each with a variable that is set and ignored. */
  warnings: string[];
}

type Given = Entry & { value: unknown };

/** The settings, checked, before brand.yaml and other content is read; see `Config`. */
export type Settings = ReturnType<typeof settingsFrom>;

/** Thrown for invalid settings, with every error found. */
export class SettingsError extends Error {
  readonly messages: string[];

  constructor(messages: string[]) {
    super(messages.join("\n"));
    this.messages = messages;
  }
}

/** Parses all settings. @throws SettingsError if one is invalid */
export const readSettings = (sources: Sources): Settings => validSettings(parseSettings(sources));

/** Returns the parsed settings. @throws SettingsError if one is invalid */
export function validSettings({ settings, errors }: ParsedSettings): Settings {
  if (errors.length > 0) throw new SettingsError(errors);
  return settings;
}

/** Parses all settings. Flags override the environment, which overrides the file. */
export function parseSettings(sources: Sources): ParsedSettings {
  const { entries, errors, warnings } = readSources(sources);
  const given: ParsedSettings["given"] = new Map();
  for (const name of settingNames) {
    const found = findValue(name, entries);
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
  // Report missing settings only without other errors: an invalid value is not in `given`, and would seem missing.
  if (errors.length === 0) errors.push(...missingErrors(settings, given));
  const hours = given.get("BACKUP_HOURS");
  if (settings.databaseUrl !== undefined && hours && hours.value !== 0) {
    errors.push(
      `${hours.label} cannot be used with ${variableOf("DATABASE_URL")}: that database's administrator makes its backups.`,
    );
  }
  return { settings, given, errors, warnings };
}

/** Returns a sentence for each missing setting that another one needs. */
function missingErrors({ mail }: Settings, given: ParsedSettings["given"]): string[] {
  const needsTeam = mail && !mail.url.startsWith("file:") && mail.to.length === 0;
  const needsBoth = given.has("WEBHOOK_URL") !== given.has("WEBHOOK_SECRET");
  const errors: string[] = [];
  if (needsTeam) errors.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  if (needsBoth)
    errors.push(
      `${variableOf("WEBHOOK_URL")} and ${variableOf("WEBHOOK_SECRET")} are needed together.`,
    );
  return errors;
}

/** Returns the value that the sources set for a setting, or what is wrong with it; undefined if none sets it. */
function findValue(
  name: SettingName,
  entries: Map<string, Entry>,
): Given | { error: string } | undefined {
  const { rule, isSecret } = settingOf(name);
  const direct = entries.get(variableOf(name));
  const secretFile = isSecret && entries.get(fileVariableOf(name));
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
  const { MAIL_URL: url, MAIL_TO: to = [], MAIL_FROM: from } = values;
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
      /** 0 turns scheduled backups off. A PostgreSQL database is backed up by its administrator. */
      intervalMs: values.DATABASE_URL === undefined ? values.BACKUP_HOURS * hourMs : 0,
      keepCount: values.BACKUPS_KEPT,
      folder: path.join(dataDir, "backups"),
    },
    /** The folder in which each request with files gets a folder of its own; undefined if not set. */
    dropFolder: values.DROP_DIR && path.resolve(values.DROP_DIR),
    /** If `to` is empty, emails go to the brand's address. */
    mail: url === undefined ? undefined : { url, to, from, maxAttachedBytes },
    /**
     * Whether visitors get an email that their request was received. Without a mail server the email would wait in the
     * outbox, and promise a reply that is long due.
     */
    acknowledgesRequests: url !== undefined && values.MAIL_ACKNOWLEDGE === "on",
    /** Whether the email about an upload brings the link to the team's page. */
    teamLinks: values.TEAM_LINKS === "on",
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
    /** The networks that may read /metrics and the checks of /readyz; if there are none, /metrics does not exist. */
    metricsNetworks: values.METRICS_NETWORKS ?? [],
    /** The address of the virus scanner; undefined if files are not scanned. */
    scannerAddress: values.CLAMD,
    /** The networks where links of markers and of the team's page work; undefined if they work anywhere. */
    markingNetworks: values.MARKING_NETWORKS,
    maxFileBytes: values.FILE_MB * 1_048_576,
    uploadSlots: values.UPLOAD_SLOTS,
    maxPosts: values.POSTS_PER_10_MINUTES,
    maxUploads: values.UPLOADS_PER_10_MINUTES,
    /** Min time from the page load to a post; a sooner post has to be sent again. 0 turns the check off. */
    minElapsedMs: values.SPAM_SECONDS * 1000,
  };
}

const webhookFrom = ({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret }: Values) =>
  url === undefined || secret === undefined ? undefined : { url, secret };
