/** The settings by name, and what each is called. */
import type * as z from "zod/mini";
import { program } from "../../brand.ts";
import type { Setting } from "./setting.ts";
import { groups } from "./setting-groups.ts";

const prefix = program.settingPrefix;

export const settings = {
  ...groups.Server,
  ...groups.Data,
  ...groups.Email,
  ...groups.Webhook,
  ...groups["Brand and content"],
  ...groups.Monitoring,
  ...groups.Limits,
};

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

/** Settings of 1.0.0 that are constants now: ignored with a warning, so that an upgrade starts. */
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

/** Returns the flag, such as --mail-url. */
export const flagOf = (name: SettingName) => `--${name.toLowerCase().replaceAll("_", "-")}`;
