import { noPastTimes, pastTimesIn } from "#db/sqlite/examine.ts";
import { parseSettings, type Settings } from "../config/settings.ts";
import type { Sources } from "../config/sources.ts";
import { checkListenAddress, checkPublicUrl } from "./address.ts";
import { checkBackups } from "./backups.ts";
import { checkBrand } from "./brand.ts";
import { checkClock } from "./check-clock.ts";
import { checkContent } from "./content.ts";
import { checkDataFolder, checkDisk, checkDropFolder } from "./data-folder.ts";
import { checkDatabase } from "./database.ts";
import { checkDatabaseServer } from "./database-server.ts";
import { type Finding, fail } from "./finding.ts";
import { checkEmails, checkMailServer } from "./mail.ts";
import { checkPermissions } from "./permissions.ts";
import { checkVirusScanner } from "./scanner.ts";
import { checkSettings } from "./settings.ts";
import { checkWebhook } from "./webhook.ts";

/** ISO time, defined by the build. */
declare const BUILD_TIME: string;

type Check = [name: string, check: () => Finding[] | Promise<Finding[]>];

/** Runs every check and changes nothing. Uses the default of an invalid setting. */
export async function* examine(sources: Sources, now: Date): AsyncGenerator<Finding> {
  const parsed = parseSettings(sources);
  const { settings } = parsed;
  const checks: Check[] = [
    ["settings", () => checkSettings(parsed, sources.file)],
    ["content", () => checkContent(settings)],
    ["brand", () => checkBrand(settings)],
    ["public address", () => checkPublicUrl(settings)],
    ["port", () => checkListenAddress(settings)],
    ...checksOfDatabase(settings, sources, now),
    ["drop folder", () => checkDropFolder(settings)],
    ["virus scanner", () => checkVirusScanner(settings)],
    ["mail server", () => checkMailServer(settings)],
    ["webhook", () => checkWebhook(settings)],
  ];
  for (const [name, check] of checks) {
    try {
      yield* await check();
    } catch (error) {
      const { message } = error as Error;
      yield fail(name, `could not be checked: ${message}`, accountRemedy);
    }
  }
}

/** The checks of the file, or of the server that holds the database. */
function checksOfDatabase(settings: Settings, { file }: Sources, now: Date): Check[] {
  if (settings.databaseUrl !== undefined) {
    return [
      ["clock", () => checkClock(now, pastTimes())],
      ["database", () => checkDatabaseServer(settings, now)],
    ];
  }
  return [
    ["data folder", () => checkDataFolder(settings)],
    ["disk", () => checkDisk(settings)],
    ["permissions", () => checkPermissions(settings, file)],
    ["database", () => checkDatabase(settings)],
    ["clock", () => checkClock(now, pastTimes(settings.databaseFile))],
    ["backups", () => checkBackups(settings, now)],
    ["emails", () => checkEmails(settings, now)],
  ];
}

const pastTimes = (databaseFile?: string) => ({
  builtAt: new Date(BUILD_TIME),
  ...(databaseFile === undefined ? noPastTimes : pastTimesIn(databaseFile)),
});

const accountRemedy = "run this command on the server's machine, as the account that it runs under";
