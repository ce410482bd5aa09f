import path from "node:path";
import { closest } from "fastest-levenshtein";
import * as z from "zod/mini";
import { type Brand, brandDefaults, program } from "../brand.ts";
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
  mostStagedBytes: number;
  brand: Brand;
}

interface Setting {
  meaning: string;
  /** As it would be written, or what happens without it. */
  default: string;
  rule: z.ZodMiniType<unknown, string>;
  /** True for the two that every host sets without our prefix. */
  alsoBare?: true;
}

const email = z.string().check(z.email("must be an e-mail address"));

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
  STAGED_MB: {
    meaning: "megabytes of files that may wait for their requests in all",
    default: "1024",
    rule: wholeNumber(1, 1_000_000),
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
 * @throws WrongSettings
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
  const retentionDays = number("RETENTION_DAYS");
  const uploadSlots = number("UPLOAD_SLOTS");
  const uploadQueue = number("UPLOAD_QUEUE");
  const mostStagedBytes = number("STAGED_MB") * 1_048_576;
  if (url && !url.startsWith("file:") && to.length === 0) {
    faults.push(`${variableOf("MAIL_TO")} is needed with ${variableOf("MAIL_URL")}.`);
  }
  if (faults.length > 0) throw new WrongSettings(faults);

  const team = to.length > 0 ? to : [brandDefaults.email];
  return {
    host,
    port,
    dataDir,
    databaseFile: path.join(dataDir, program.databaseFile),
    mail: url ? { url, to: team, from: from ?? team[0]! } : undefined,
    retentionDays,
    uploadSlots,
    uploadQueue,
    mostStagedBytes,
    brand: brandDefaults,
  };
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}
