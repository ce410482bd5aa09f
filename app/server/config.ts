import { existsSync, statSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { closest } from "fastest-levenshtein";
import * as z from "zod/mini";
import { type Brand, program } from "../brand.ts";
import { readBrand } from "./content/brand.ts";
import { type ContentFiles, contentFiles } from "./content/files.ts";
import type { MailSettings } from "./mail/postman.ts";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseFile: string;
  mail: MailSettings | undefined;
  retentionDays: number;
  uploadSlots: number;
  uploadQueue: number;
  /** Of these, for one address. */
  uploadSlotsPerAddress: number;
  mostStagedBytes: number;
  /** Of these, for forms of one address that came back. */
  mostHeldBytes: number;
  /** In ten minutes, for one address; 0 is no limit. */
  mostPosts: number;
  mostUploads: number;
  /** Addresses or networks of proxies whose word on the visitor's address is taken. */
  trustedProxies: string[];
  /** Addresses or networks that may ask for figures; nobody may where there are none. */
  metricsNetworks: string[];
  /** Posts that script sends sooner after the page are suspected; 0 suspects none. */
  quickestMs: number;
  /** Whether /test-forms is there. */
  testForms: boolean;
  logFormat: "text" | "json";
  /** Megabytes that must stay free on the disk for anything to be taken in; 0 does not look. */
  diskFloorMb: number;
  /** How long the same post again counts as the same request. */
  repeatMs: number;
  limits: {
    connections: number;
    /** Of one request's headers. */
    headerBytes: number;
    /** How long a request's headers may take. */
    headerMs: number;
    /** Of a body; over this nobody reads on, not even to say what is wrong. */
    mostBodyBytes: number;
    /** How long the sender of a body may be silent. */
    mostIdleMs: number;
    /** Of a body, on average, once it has been waited for that long; 0 asks for nothing. */
    leastBytesPerSecond: number;
  };
  /** Those that are made regularly; 0 is never. */
  backups: { everyMs: number; kept: number; folder: string };
  /** Undefined where nothing is set. */
  publicUrl: string | undefined;
  brand: Brand;
  /** The Markdown and YAML that is served. */
  content: ContentFiles;
}

interface Setting {
  meaning: string;
  /** As it would be written, or what happens without it. */
  default: string;
  rule: z.ZodMiniType<unknown, string>;
  /** True for the two that every host sets without our prefix. */
  alsoBare?: true;
}

const anyText = z.string();

const email = z.string().check(z.email("must be an e-mail address"));

const networks = z.string().check(
  z.refine((text) => splitList(text).every(isNetwork), {
    error: "must be IP addresses or networks such as 10.0.0.0/8, separated by commas",
  }),
);

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.string().check(
    z.refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error,
    }),
  );
}

/** Every setting once. Each is the environment variable of this name with the prefix in front. */
export const settings = {
  HOST: {
    meaning: "address to listen on",
    default: "127.0.0.1",
    rule: z.string(),
    alsoBare: true,
  },
  PORT: {
    meaning: "port to listen on; 0 takes any free one",
    default: "3000",
    rule: wholeNumber(0, 65535),
    alsoBare: true,
  },
  DATA_DIR: {
    meaning: "folder of the database, made where it is missing",
    default: "./data",
    rule: z.string(),
  },
  MAIL_URL: {
    meaning:
      "mail server as smtp://user:password@host:port or smtps://…, or file:FOLDER for .eml files",
    default: "none: letters wait",
    rule: z.string().check(
      z.refine(
        (text) =>
          /^(file:.+|smtps?:\/\/.+)$/.test(text) &&
          (text.startsWith("file:") || URL.canParse(text)),
        {
          error: "must start with smtp://, smtps:// or file:",
        },
      ),
    ),
  },
  MAIL_TO: {
    meaning: "the team's addresses, separated by commas; needed with a mail server",
    default: "the brand's address, for file: only",
    rule: z.string().check(
      z.refine((text) => splitList(text).every((one) => email.safeParse(one).success), {
        error: "must be e-mail addresses separated by commas",
      }),
    ),
  },
  MAIL_SECONDS: {
    meaning: "seconds for which the mail server may be silent before it is tried again later",
    default: "30",
    rule: wholeNumber(1, 600),
  },
  MAIL_FROM: {
    meaning: "the sender's address of letters to the team",
    default: "the first of MAIL_TO",
    rule: email,
  },
  RETENTION_DAYS: {
    meaning: "days after which a request is deleted with its files and letters",
    default: "90",
    rule: wholeNumber(1, 9999),
  },
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
  HELD_MB_PER_ADDRESS: {
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
  TRUSTED_PROXIES: {
    meaning:
      "addresses or networks of your own proxies, separated by commas; only theirs is a forwarded address believed",
    default: "none",
    rule: networks,
  },
  METRICS_NETWORKS: {
    meaning:
      "addresses or networks that may read /metrics, for Prometheus, separated by commas; for others it is not there",
    default: "none",
    rule: networks,
  },
  SPAM_SECONDS: {
    meaning:
      "a form that is sent sooner after its page was loaded goes into quarantine; 0 suspects none",
    default: "3",
    rule: wholeNumber(0, 3600),
  },
  PUBLIC_URL: {
    meaning:
      "where visitors find the site, such as https://marking.school.example; absolute addresses begin with it",
    default: "none: http://localhost and the port",
    rule: z.string().check(
      z.refine((text) => /^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text), {
        error: "must be http:// or https:// and a host, without a path",
      }),
    ),
  },
  BRAND_NAME: {
    meaning: "the name that the service goes by",
    default: "the product’s own",
    rule: z.string().check(z.maxLength(40, "must be 40 characters or fewer")),
  },
  BRAND_COMPANY: {
    meaning: "who runs the service and answers its letters",
    default: "from content/brand.yaml: the name",
    rule: anyText,
  },
  BRAND_EMAIL: {
    meaning: "the address that pages show",
    default: "from content/brand.yaml",
    rule: email,
  },
  CONTENT_DIR: {
    meaning: "folder with content of your own in place of the built-in files of the same path",
    default: "none",
    rule: z.string().check(
      z.refine((folder) => existsSync(folder) && statSync(folder).isDirectory(), {
        error: "must be a folder that exists",
      }),
    ),
  },
  DUPLICATE_MINUTES: {
    meaning: "minutes in which the same form sent again is the same request",
    default: "10",
    rule: wholeNumber(0, 1440),
  },
  DISK_FLOOR_MB: {
    meaning:
      "megabytes that must stay free on the disk; below that forms are refused for the moment",
    default: "100",
    rule: wholeNumber(0, 1_000_000),
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
  LEAST_BYTES_PER_SECOND: {
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
  LOG_FORMAT: {
    meaning: "text or json: how lines of the log are written",
    default: "text",
    rule: z
      .string()
      .check(
        z.refine((text) => ["text", "json"].includes(text), { error: "must be text or json" }),
      ),
  },
  TEST_FORMS: {
    meaning: "on or off: whether the page /test-forms is there",
    default: "on",
    rule: z
      .string()
      .check(z.refine((text) => ["on", "off"].includes(text), { error: "must be on or off" })),
  },
} satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;
const names = Object.keys(settings) as SettingName[];
const settingNames = names.map((name) => program.settingPrefix + name);

/** The variable that holds a setting, for messages. */
export const variableOf = (name: SettingName) => program.settingPrefix + name;

/** Something in the settings is wrong; one sentence a fault, each naming its variable. */
export class WrongSettings extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/**
 * Reads the settings, all of them or none.
 * @param env the environment; an empty variable counts as unset
 * @throws WrongSettings, WrongContent
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  for (const variable of Object.keys(env)) {
    if (variable.startsWith(program.settingPrefix) && !settingNames.includes(variable)) {
      faults.push(`${variable} is not a setting. Did you mean ${closest(variable, settingNames)}?`);
    }
  }
  const value = (name: SettingName): string | undefined => {
    const { rule, alsoBare }: Setting = settings[name];
    const variable = env[variableOf(name)] || !alsoBare ? variableOf(name) : name;
    const text = env[variable]?.trim();
    if (!text) return undefined;
    const result = rule.safeParse(text);
    if (!result.success) faults.push(`${variable} ${result.error.issues[0]!.message}.`);
    return text;
  };
  const number = (name: SettingName) => Number(value(name) ?? settings[name].default);
  const host = value("HOST") ?? settings.HOST.default;
  const port = number("PORT");
  const dataDir = path.resolve(value("DATA_DIR") ?? settings.DATA_DIR.default);
  const url = value("MAIL_URL");
  const to = splitList(value("MAIL_TO") ?? "");
  const from = value("MAIL_FROM");
  const patienceMs = number("MAIL_SECONDS") * 1000;
  const retentionDays = number("RETENTION_DAYS");
  const uploadSlots = number("UPLOAD_SLOTS");
  const uploadQueue = number("UPLOAD_QUEUE");
  const uploadSlotsPerAddress = number("UPLOAD_SLOTS_PER_ADDRESS");
  const mostStagedBytes = number("STAGED_MB") * 1_048_576;
  const mostHeldBytes = number("HELD_MB_PER_ADDRESS") * 1_048_576;
  const mostPosts = number("POSTS_PER_10_MINUTES");
  const mostUploads = number("UPLOADS_PER_10_MINUTES");
  const trustedProxies = splitList(value("TRUSTED_PROXIES") ?? "");
  const metricsNetworks = splitList(value("METRICS_NETWORKS") ?? "");
  const quickestMs = number("SPAM_SECONDS") * 1000;
  const repeatMs = number("DUPLICATE_MINUTES") * 60_000;
  const diskFloorMb = number("DISK_FLOOR_MB");
  const backups = {
    everyMs: number("BACKUP_HOURS") * 3_600_000,
    kept: number("BACKUPS_KEPT"),
    folder: path.join(dataDir, "backups"),
  };
  const limits = {
    connections: number("CONNECTIONS"),
    headerBytes: number("HEADER_KB") * 1024,
    headerMs: number("HEADER_SECONDS") * 1000,
    mostBodyBytes: number("BODY_MB") * 1_048_576,
    mostIdleMs: number("IDLE_SECONDS") * 1000,
    leastBytesPerSecond: number("LEAST_BYTES_PER_SECOND"),
  };
  const logFormat = (value("LOG_FORMAT") ?? settings.LOG_FORMAT.default) as "text" | "json";
  const publicUrl = value("PUBLIC_URL");
  const contentDir = value("CONTENT_DIR");
  const brandSettings = {
    name: value("BRAND_NAME"),
    company: value("BRAND_COMPANY"),
    email: value("BRAND_EMAIL"),
  };
  const testForms = (value("TEST_FORMS") ?? settings.TEST_FORMS.default) === "on";
  if (url && !url.startsWith("file:") && to.length === 0) {
    faults.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  }
  if (faults.length > 0) throw new WrongSettings(faults);

  const content = contentFiles(contentDir);
  const brand = readBrand(content, brandSettings);
  const team = to.length > 0 ? to : [brand.email];
  return {
    host,
    port,
    dataDir,
    databaseFile: path.join(dataDir, program.databaseFile),
    mail: url ? { url, to: team, from: from ?? team[0]!, patienceMs } : undefined,
    retentionDays,
    uploadSlots,
    uploadQueue,
    uploadSlotsPerAddress,
    mostStagedBytes,
    mostHeldBytes,
    mostPosts,
    mostUploads,
    trustedProxies,
    metricsNetworks,
    quickestMs,
    testForms,
    logFormat,
    diskFloorMb,
    repeatMs,
    backups,
    limits,
    publicUrl: publicUrl && new URL(publicUrl).origin,
    brand,
    content,
  };
}

function isNetwork(text: string): boolean {
  const [address, bits, ...more] = text.split("/");
  const version = isIP(address!);
  const mostBits = version === 6 ? 128 : 32;
  return (
    version !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits))
  );
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}
