/**
 * Every setting once. From this table come the parser, the flags, --help, the file that `config init`
 * writes and the README's table.
 */
import { program } from "../../brand.ts";
import {
  anyText,
  atMost,
  email,
  emails,
  existingFolder,
  mailUrl,
  networks,
  oneOf,
  origin,
  type Rule,
  wholeNumber,
} from "./rules.ts";

export interface Setting {
  meaning: string;
  rule: Rule;
  /** As it would be written. */
  default?: string;
  /** What happens without it, where no value would do the same. */
  without?: string;
  /** All that it can be, where that is few words. */
  choices?: string[];
  /** What it names, for shells that complete it. */
  names?: "folder";
  /** True for the two that every host sets without our prefix. */
  alsoBare?: true;
  /** Never shown; may stand in a file of its own. */
  isSecret?: true;
}

const serving = {
  HOST: {
    meaning: "address to listen on",
    default: "127.0.0.1",
    rule: anyText,
    alsoBare: true,
  },
  PORT: {
    meaning: "port to listen on; 0 takes any free one",
    default: "3000",
    rule: wholeNumber(0, 65535),
    alsoBare: true,
  },
  PUBLIC_URL: {
    meaning:
      "where visitors find the site, such as https://marking.school.example; absolute addresses begin with it, and other hosts are refused",
    without: "http://localhost and the port, and every host",
    rule: origin,
  },
  TRUSTED_PROXIES: {
    meaning:
      "addresses or networks of your own proxies, separated by commas; only theirs is a forwarded address believed",
    without: "none",
    rule: networks,
  },
} satisfies Record<string, Setting>;

const data = {
  DATA_DIR: {
    meaning: "folder of the database, made where it is missing",
    default: "./data",
    rule: anyText,
    names: "folder",
  },
  RETENTION_DAYS: {
    meaning: "days after which a request is deleted with its files and letters",
    default: "90",
    rule: wholeNumber(1, 9999),
  },
  BACKUP_HOURS: {
    meaning:
      "hours from one backup into the folder backups, beside the database, to the next; 0 is never",
    default: "24",
    rule: wholeNumber(0, 8760),
  },
  BACKUPS_KEPT: {
    meaning:
      "backups that are kept there; what was deleted from the database lives in them for so long",
    default: "7",
    rule: wholeNumber(1, 1000),
  },
  DISK_FLOOR_MB: {
    meaning:
      "megabytes that must stay free on the disk; below that forms are refused for the moment",
    default: "100",
    rule: wholeNumber(0, 1_000_000),
  },
} satisfies Record<string, Setting>;

const mail = {
  MAIL_URL: {
    meaning:
      "mail server as smtp://user:password@host:port or smtps://…, or file:FOLDER for .eml files",
    without: "letters wait in the database",
    rule: mailUrl,
    isSecret: true,
  },
  MAIL_TO: {
    meaning: "the team's addresses, separated by commas; needed with a mail server",
    without: "the address that pages show, for file: alone",
    rule: emails,
  },
  MAIL_FROM: {
    meaning: "the sender's address of letters",
    without: "the first of the team's",
    rule: email,
  },
  MAIL_SECONDS: {
    meaning: "seconds for which the mail server may be silent before it is tried again later",
    default: "30",
    rule: wholeNumber(1, 600),
  },
} satisfies Record<string, Setting>;

const words = {
  BRAND_NAME: {
    meaning: "the name that the service goes by",
    without: "the product’s own",
    rule: atMost(40),
  },
  BRAND_COMPANY: {
    meaning: "who runs the service and answers its letters",
    without: "as in brand.yaml, else the name",
    rule: anyText,
  },
  BRAND_EMAIL: {
    meaning: "the address that pages show",
    without: "as in brand.yaml",
    rule: email,
  },
  CONTENT_DIR: {
    meaning: "folder with content of your own in place of the built-in files of the same path",
    without: "the built-in content",
    rule: existingFolder,
    names: "folder",
  },
  TEST_FORMS: {
    meaning: "whether the page /test-forms is there",
    default: "on",
    ...oneOf("on", "off"),
  },
} satisfies Record<string, Setting>;

const watching = {
  LOG_FORMAT: {
    meaning: "how lines of the log are written",
    default: "text",
    ...oneOf("text", "json"),
  },
  METRICS_NETWORKS: {
    meaning:
      "addresses or networks that may read /metrics, for Prometheus, separated by commas; for others it is not there",
    without: "none",
    rule: networks,
  },
} satisfies Record<string, Setting>;

const limits = {
  UPLOAD_SLOTS: {
    meaning: "uploads that are read at a time; each takes about 5 MB of memory",
    default: "6",
    rule: wholeNumber(1, 100),
  },
  UPLOAD_QUEUE: {
    meaning: "uploads that wait for a slot before others are asked to come again",
    default: "12",
    rule: wholeNumber(0, 1000),
  },
  UPLOAD_SLOTS_PER_ADDRESS: {
    meaning:
      "slots that one address may take, beside three quarters of the queue; more would let one sender keep all others out",
    default: "3",
    rule: wholeNumber(1, 100),
  },
  STAGED_MB: {
    meaning: "megabytes of files that may wait for their requests in all",
    default: "1024",
    rule: wholeNumber(1, 1_000_000),
  },
  DRAFT_MB_PER_ADDRESS: {
    meaning:
      "of these, for forms of one address that came back within an hour; beyond that, files have to be chosen again",
    default: "256",
    rule: wholeNumber(1, 1_000_000),
  },
  POSTS_PER_10_MINUTES: {
    meaning: "forms that one address may send in ten minutes, a school sharing one; 0 is no limit",
    default: "60",
    rule: wholeNumber(0, 1_000_000),
  },
  UPLOADS_PER_10_MINUTES: {
    meaning: "forms with files that one address may send in ten minutes; 0 is no limit",
    default: "20",
    rule: wholeNumber(0, 1_000_000),
  },
  SPAM_SECONDS: {
    meaning:
      "a form that is sent sooner after its page was loaded goes into quarantine; 0 suspects none",
    default: "3",
    rule: wholeNumber(0, 3600),
  },
  DUPLICATE_MINUTES: {
    meaning: "minutes in which the same form sent again is the same request",
    default: "10",
    rule: wholeNumber(0, 1440),
  },
  CONNECTIONS: {
    meaning: "connections at a time; each takes a little memory, and slow ones hold it for long",
    default: "2000",
    rule: wholeNumber(10, 1_000_000),
  },
  HEADER_KB: {
    meaning: "kilobytes of headers that one request may have",
    default: "16",
    rule: wholeNumber(4, 1024),
  },
  HEADER_SECONDS: {
    meaning: "seconds that a request’s headers may take; whoever takes longer is no visitor",
    default: "15",
    rule: wholeNumber(1, 300),
  },
  IDLE_SECONDS: {
    meaning: "seconds for which the sender of a form may be silent before it is given up",
    default: "30",
    rule: wholeNumber(1, 3600),
  },
  MIN_BYTES_PER_SECOND: {
    meaning:
      "bytes a second that a form must bring on average once IDLE_SECONDS have passed; 0 asks for nothing",
    default: "500",
    rule: wholeNumber(0, 1_000_000),
  },
  BODY_MB: {
    meaning: "megabytes over which a form is cut off unread; the largest that is taken has 120",
    default: "512",
    rule: wholeNumber(121, 100_000),
  },
} satisfies Record<string, Setting>;

/** In the order in which people meet them. */
export const settings = { ...serving, ...data, ...mail, ...words, ...watching, ...limits };

export type SettingName = keyof typeof settings;

/** Those that have a value even where nobody gives one. */
export type DefaultedName = {
  [Name in SettingName]: (typeof settings)[Name] extends { default: string } ? Name : never;
}[SettingName];

export const settingNames = Object.keys(settings) as SettingName[];

export const settingOf = (name: SettingName): Setting => settings[name];

export const topics: { title: string; names: SettingName[] }[] = [
  { title: "Where it serves", names: namesIn(serving) },
  { title: "Data", names: namesIn(data) },
  { title: "Letters", names: namesIn(mail) },
  { title: "Name and words", names: namesIn(words) },
  { title: "Watching it", names: namesIn(watching) },
  { title: "Limits, which few need to change", names: namesIn(limits) },
];

/** The environment variable, and the key in a file of settings. */
export const variableOf = (name: SettingName) => program.settingPrefix + name;

/** The variable that names a file with a secret in it. */
export const fileVariableOf = (name: SettingName) => `${variableOf(name)}_FILE`;

/** The same of a flag: --mail-url. */
export const flagOf = (name: SettingName) => `--${name.toLowerCase().replaceAll("_", "-")}`;

/** What stands in brackets after its meaning. */
export function defaultText(name: SettingName): string {
  const setting = settingOf(name);
  return setting.default ?? setting.without!;
}

function namesIn(group: object): SettingName[] {
  return Object.keys(group) as SettingName[];
}
