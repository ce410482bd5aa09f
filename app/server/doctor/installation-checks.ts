import { accessSync, constants } from "node:fs";
import { sqliteFiles } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { builtAt } from "../build.ts";
import { type ParsedSettings, parseSettings, type Settings } from "../config/settings.ts";
import { configVariable, operatorCommand, type Sources } from "../config/sources.ts";
import * as host from "./host-checks.ts";
import * as services from "./service-checks.ts";

/** Result of one check, for people and programs. */
export type Finding =
  | { check: string; state: "ok"; found: string }
  | { check: string; state: "warn" | "FAIL"; found: string; remedy: string };

/** What is wrong, and what to do; `check` replaces the name of the check. */
export type CheckProblem = ({ warn: string } | { fail: string }) & {
  remedy: string;
  check?: string;
};

/** One result of a check. A text reports that all is well. */
export type Item = string | { ok: string; check?: string } | CheckProblem;

/** What a check returns; undefined if the check does not apply. */
export type Result = Item | Item[] | undefined;

export interface Examined {
  settings: Settings;
  parsed: ParsedSettings;
  settingsFile: string | undefined;
  now: Date;
}

type Check = (examined: Examined) => Result | Promise<Result>;

/** Every check, in the order in which it is printed. */
const checksFor = ({ databaseUrl, listenAddress }: Settings): Record<string, Check> => ({
  settings: host.checkSettings,
  content: host.checkContent,
  brand: host.checkBrand,
  "public address": host.checkPublicUrl,
  ["path" in listenAddress ? "socket" : "port"]: host.checkListenAddress,
  proxy: host.checkProxy,
  "data folder": host.checkDataFolder,
  ...(databaseUrl === undefined
    ? {
        disk: host.checkDisk,
        permissions: host.checkPermissions,
        database: services.checkDatabaseFile,
        clock: async ({ now, settings }) => {
          const { pastTimesIn } = await sqliteFiles();
          return host.checkClock(now, { builtAt, ...pastTimesIn(settings.databaseFile) });
        },
        backups: host.checkBackups,
        emails: services.checkOutboxOfFile,
        marks: services.checkMarksOfFile,
      }
    : {
        clock: ({ now }) =>
          host.checkClock(now, { builtAt, newestRequest: undefined, lastCleanup: undefined }),
        database: (examined) => services.checkDatabaseServer(databaseUrl, examined),
      }),
  "drop folder": host.checkDropFolder,
  "virus scanner": services.checkVirusScanner,
  "mail server": services.checkMailServer,
  webhook: services.checkWebhook,
});

const accountRemedy = "run this command on the server's machine, as the account that it runs under";

/** Runs every check and changes nothing. Uses the default in place of an invalid setting. */
export async function* examine(sources: Sources, now: Date): AsyncGenerator<Finding> {
  const unreadable = unreadableFile(sources.file);
  if (unreadable) {
    // Without the settings file, every other check would be about the wrong data.
    yield findingOf("settings", unreadable);
    return;
  }
  const parsed = parseSettings(sources);
  const { settings } = parsed;
  const examined = { settings, parsed, settingsFile: sources.file, now };
  for (const [name, check] of Object.entries(checksFor(settings))) {
    try {
      const result = await check(examined);
      for (const item of [result].flat()) if (item !== undefined) yield findingOf(name, item);
    } catch (error) {
      const found = `could not be checked: ${(error as Error).message}`;
      yield { check: name, state: "FAIL", found, remedy: accountRemedy };
    }
  }
}

function unreadableFile(file: string | undefined): CheckProblem | undefined {
  try {
    if (file !== undefined) accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy =
      code === "EACCES"
        ? `run ${operatorCommand} doctor, or let the server's group read it: chgrp ${program.command} ${file}; chmod 640 ${file}`
        : `name an existing file in ${configVariable} or --config`;
    return { fail: `${file} cannot be read: ${code}`, remedy };
  }
}

function findingOf(name: string, item: Item): Finding {
  if (typeof item === "string") return { check: name, state: "ok", found: item };
  const { check = name } = item;
  if ("ok" in item) return { check, state: "ok", found: item.ok };
  const { remedy } = item;
  return "warn" in item
    ? { check, state: "warn", found: item.warn, remedy }
    : { check, state: "FAIL", found: item.fail, remedy };
}
