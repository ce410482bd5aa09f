/**
 * Defines every setting once: source of the parser, the flags, --help, the file that `config init`
 * writes and the README's table.
 */
import { program } from "../../brand.ts";
import {
  anyText,
  email,
  emails,
  existingFolder,
  mailUrl,
  maxLength,
  networks,
  oneOf,
  origin,
  type Rule,
  wholeNumber,
} from "./rules.ts";

export interface Setting {
  description: string;
  rule: Rule;
  /** Default value, as written in a settings file. */
  default?: string;
  /** Describes the default if no value expresses it. */
  defaultDescription?: string;
  /** The allowed values, if they are few. */
  choices?: string[];
  /** Kind of the value, for shell completion. */
  valueKind?: "folder";
  /** True for HOST and PORT, which hosting platforms set without our prefix. */
  acceptsUnprefixed?: true;
  /** Never printed; may be read from a file of its own. */
  isSecret?: true;
}

const prefix = program.settingPrefix;

const server = {
  HOST: {
    description: "address to listen on; 0.0.0.0 listens on all interfaces",
    default: "127.0.0.1",
    rule: anyText,
    acceptsUnprefixed: true,
  },
  PORT: {
    description: "port to listen on; 0 picks a free port",
    default: "3000",
    rule: wholeNumber(0, 65535),
    acceptsUnprefixed: true,
  },
  PUBLIC_URL: {
    description:
      "address of the site for visitors, such as https://marking.school.example; used in absolute links, and requests for other hosts are rejected",
    defaultDescription: "http://localhost:PORT; any host is accepted",
    rule: origin,
  },
  TRUSTED_PROXIES: {
    description:
      "addresses or networks of your reverse proxies, separated by commas; X-Forwarded-For is trusted only from these",
    defaultDescription: "none",
    rule: networks,
  },
} satisfies Record<string, Setting>;

const data = {
  DATA_DIR: {
    description: "folder of the database; created if it does not exist",
    default: "./data",
    rule: anyText,
    valueKind: "folder",
  },
  RETENTION_DAYS: {
    description: "days after which a request is deleted, with its files and emails",
    default: "90",
    rule: wholeNumber(1, 9999),
  },
  BACKUP_HOURS: {
    description:
      "hours between automatic backups, which are written to the folder backups beside the database; 0 turns them off",
    default: "24",
    rule: wholeNumber(0, 8760),
  },
  BACKUPS_KEPT: {
    description:
      "number of automatic backups to keep; data deleted from the database remains in them until they are replaced",
    default: "7",
    rule: wholeNumber(1, 1000),
  },
  DISK_FLOOR_MB: {
    description:
      "free disk space in megabytes below which forms are rejected for the time being; 0 turns the check off",
    default: "100",
    rule: wholeNumber(0, 1_000_000),
  },
} satisfies Record<string, Setting>;

const mail = {
  MAIL_URL: {
    description:
      "mail server as smtp://user:password@host:port or smtps://…, or file:FOLDER to write .eml files",
    defaultDescription: "none; emails stay in the database",
    rule: mailUrl,
    isSecret: true,
  },
  MAIL_TO: {
    description: "email addresses of the team, separated by commas; required with a mail server",
    defaultDescription: "the contact address of the brand, if emails are written to a folder",
    rule: emails,
  },
  MAIL_FROM: {
    description: "sender address of emails",
    defaultDescription: `the first address in ${prefix}MAIL_TO`,
    rule: email,
  },
  MAIL_SECONDS: {
    description:
      "seconds without a response from the mail server after which the attempt ends and is retried later",
    default: "30",
    rule: wholeNumber(1, 600),
  },
} satisfies Record<string, Setting>;

const brandAndContent = {
  BRAND_NAME: {
    description: "name of the service",
    defaultDescription: "the built-in name",
    rule: maxLength(40),
  },
  BRAND_COMPANY: {
    description: "legal name of the organisation that runs the service",
    defaultDescription: `as in brand.yaml, or ${prefix}BRAND_NAME`,
    rule: anyText,
  },
  BRAND_EMAIL: {
    description: "contact address shown on pages",
    defaultDescription: "as in brand.yaml",
    rule: email,
  },
  CONTENT_DIR: {
    description:
      "folder with your own content files; each replaces the built-in file of the same path",
    defaultDescription: "built-in content only",
    rule: existingFolder,
    valueKind: "folder",
  },
  TEST_FORMS: {
    description: "availability of the page /test-forms, for sending test requests",
    default: "on",
    ...oneOf("on", "off"),
  },
} satisfies Record<string, Setting>;

const monitoring = {
  LOG_FORMAT: {
    description: "format of log lines",
    default: "text",
    ...oneOf("text", "json"),
  },
  METRICS_NETWORKS: {
    description:
      "addresses or networks that may read /metrics (Prometheus), separated by commas; others get 404",
    defaultDescription: "none",
    rule: networks,
  },
} satisfies Record<string, Setting>;

const limits = {
  UPLOAD_SLOTS: {
    description: "uploads received at the same time; each takes about 5 MB of memory",
    default: "6",
    rule: wholeNumber(1, 100),
  },
  UPLOAD_QUEUE: {
    description: "uploads that wait for a slot; further ones are asked to try again in a minute",
    default: "12",
    rule: wholeNumber(0, 1000),
  },
  UPLOAD_SLOTS_PER_ADDRESS: {
    description: `slots that one client address may use, besides three quarters of the queue; raise it if many of your users share one address, but keep it below ${prefix}UPLOAD_SLOTS, so that one client cannot block all others`,
    default: "3",
    rule: wholeNumber(1, 100),
  },
  STAGED_MB: {
    description:
      "megabytes of received files that do not belong to a request yet, for all clients together",
    default: "1024",
    rule: wholeNumber(1, 1_000_000),
  },
  DRAFT_MB_PER_ADDRESS: {
    description: `share of ${prefix}STAGED_MB for the upload drafts of one client address (files of forms that came back with errors, stored for an hour); beyond it, visitors have to choose their files again`,
    default: "256",
    rule: wholeNumber(1, 1_000_000),
  },
  POSTS_PER_10_MINUTES: {
    description:
      "forms without files that one client address may send in ten minutes; 0 is unlimited; raise it if many of your users share one address",
    default: "60",
    rule: wholeNumber(0, 1_000_000),
  },
  UPLOADS_PER_10_MINUTES: {
    description: "forms with files that one client address may send in ten minutes; 0 is unlimited",
    default: "20",
    rule: wholeNumber(0, 1_000_000),
  },
  SPAM_SECONDS: {
    description:
      "a form sent within this many seconds of loading its page is treated as spam and quarantined; 0 turns the check off",
    default: "3",
    rule: wholeNumber(0, 3600),
  },
  DUPLICATE_MINUTES: {
    description:
      "minutes within which an identical form counts as the same request; 0 turns the check off",
    default: "10",
    rule: wholeNumber(0, 1440),
  },
  CONNECTIONS: {
    description: "open connections at the same time; further ones are closed",
    default: "2000",
    rule: wholeNumber(10, 1_000_000),
  },
  HEADER_KB: {
    description: "maximum size of a request’s headers in kilobytes",
    default: "16",
    rule: wholeNumber(4, 1024),
  },
  HEADER_SECONDS: {
    description: "seconds within which a request’s headers must arrive",
    default: "15",
    rule: wholeNumber(1, 300),
  },
  IDLE_SECONDS: {
    description: "seconds without data after which receiving a form is aborted",
    default: "30",
    rule: wholeNumber(1, 3600),
  },
  MIN_BYTES_PER_SECOND: {
    description: `minimum average rate in bytes per second at which a form must arrive, checked after the first ${prefix}IDLE_SECONDS; 0 turns the check off`,
    default: "500",
    rule: wholeNumber(0, 1_000_000),
  },
  BODY_MB: {
    description:
      "megabytes above which a request body is rejected unread; the largest form that is accepted has 120 MB",
    default: "512",
    rule: wholeNumber(121, 100_000),
  },
} satisfies Record<string, Setting>;

/** In the order of --help and the README. */
export const settings = {
  ...server,
  ...data,
  ...mail,
  ...brandAndContent,
  ...monitoring,
  ...limits,
};

export type SettingName = keyof typeof settings;

/** Names of the settings that have a default value. */
export type DefaultedName = {
  [Name in SettingName]: (typeof settings)[Name] extends { default: string } ? Name : never;
}[SettingName];

export const settingNames = Object.keys(settings) as SettingName[];

export const settingOf = (name: SettingName): Setting => settings[name];

export const settingGroups: { title: string; names: SettingName[] }[] = [
  { title: "Server", names: namesIn(server) },
  { title: "Data", names: namesIn(data) },
  { title: "Email", names: namesIn(mail) },
  { title: "Brand and content", names: namesIn(brandAndContent) },
  { title: "Monitoring", names: namesIn(monitoring) },
  { title: "Limits (rarely changed)", names: namesIn(limits) },
];

/** Returns the environment variable, which is also the key in a settings file. */
export const variableOf = (name: SettingName) => prefix + name;

/** Returns the variable that names a file with the secret. */
export const fileVariableOf = (name: SettingName) => `${variableOf(name)}_FILE`;

/** Returns the flag, such as --mail-url. */
export const flagOf = (name: SettingName) => `--${name.toLowerCase().replaceAll("_", "-")}`;

/** Returns the default as shown in --help. */
export function defaultText(name: SettingName): string {
  const setting = settingOf(name);
  return setting.default ?? setting.defaultDescription!;
}

function namesIn(group: object): SettingName[] {
  return Object.keys(group) as SettingName[];
}
