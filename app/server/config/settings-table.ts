/** The settings by name, and the variable and flag of each. */
import type * as z from "zod/mini";
import { program } from "../../brand.ts";
import type { Rule } from "./rules.ts";
import { groups } from "./setting-groups.ts";

const prefix = program.settingPrefix;

export interface Setting {
  description: string;
  rule: Rule;
  /** Default value, as written in a settings file. */
  default?: string;
  /** Describes the default if no value expresses it. */
  defaultDescription?: string;
  /** The allowed values, if they are few. */
  choices?: string[];
  /** True for PORT, which hosting platforms set without our prefix. */
  acceptsUnprefixed?: true;
  /** Redacted where settings are printed; may be read from a file of its own. */
  isSecret?: true;
}

type Groups = typeof groups;

export const settings = {
  ...groups.Server,
  ...groups.Data,
  ...groups.Email,
  ...groups.Webhook,
  ...groups["Brand and content"],
  ...groups.Monitoring,
  ...groups.Limits,
  // A type error if a group is not spread above.
} satisfies Record<{ [Title in keyof Groups]: keyof Groups[Title] }[keyof Groups], Setting>;

export type SettingName = keyof typeof settings;

/** The values of all settings; those without a default may be undefined. */
export type Values = {
  [Name in SettingName]:
    | z.output<(typeof settings)[Name]["rule"]>
    | ((typeof settings)[Name] extends { default: string } ? never : undefined);
};

export const settingNames = Object.keys(settings) as SettingName[];

export const settingGroups = Object.entries(groups).map(([title, group]) => ({
  title,
  names: Object.keys(group) as SettingName[],
}));

export const settingOf = (name: SettingName): Setting => settings[name];

/** Former settings, of 1.0.0. They are ignored with a warning, so that the server starts after an upgrade. */
export const retiredVariables = [
  "CONNECTIONS",
  "DISK_FLOOR_MB",
  "IDLE_SECONDS",
  "MAIL_SECONDS",
  "STAGED_MB",
  "UPLOAD_QUEUE",
  "UPLOAD_SLOTS_PER_ADDRESS",
].map((name) => prefix + name);

/** Returns the environment variable, which is also the key in a settings file. */
export const variableOf = (name: SettingName) => prefix + name;

/** Returns the variable that names a file with the secret. */
export const fileVariableOf = (name: SettingName) => `${variableOf(name)}_FILE`;

/** Settings that are flags too: to try the program, and to run a command on other data. */
export const flaggedSettings = {
  DATA_DIR: { placeholder: "folder", description: "folder of the database" },
  HOST: { placeholder: "address", description: "address to listen on" },
  PORT: { placeholder: "number", description: "port to listen on" },
} satisfies Partial<Record<SettingName, object>>;

export const flagOf = (name: string) => `--${name.toLowerCase().replaceAll("_", "-")}`;
