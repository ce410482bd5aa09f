import { settingsFrom } from "../config/settings.ts";
import { type Flags, gather } from "../config/sources.ts";
import { checkPort, checkPublicUrl } from "./address.ts";
import { checkBackups } from "./backups.ts";
import { checkClock } from "./clock.ts";
import { checkContent } from "./content.ts";
import { checkDataFolder, checkDisk } from "./data-folder.ts";
import { checkDatabase } from "./database.ts";
import { type Finding, fail } from "./finding.ts";
import { checkEmails, checkMailServer } from "./mail.ts";
import { checkPermissions } from "./permissions.ts";
import { checkSettings } from "./settings.ts";

/** Put in by the build. */
declare const BUILD_TIME: string;

/**
 * Checks an installation, whatever is wrong with it, and changes nothing. Where a setting is wrong the
 * checks go on with its default.
 */
export async function* examine(flags: Flags, now: Date): AsyncGenerator<Finding> {
  const gathered = gather(flags);
  const settings = settingsFrom(gathered);
  const checks: [name: string, check: () => Finding[] | Promise<Finding[]>][] = [
    ["clock", () => checkClock(now, new Date(BUILD_TIME))],
    ["settings", () => checkSettings(gathered, flags.file)],
    ["content", () => checkContent(settings)],
    ["public address", () => checkPublicUrl(settings)],
    ["port", () => checkPort(settings)],
    ["data folder", () => checkDataFolder(settings)],
    ["disk", () => checkDisk(settings)],
    ["permissions", () => checkPermissions(settings, flags.file)],
    ["database", () => checkDatabase(settings)],
    ["backups", () => checkBackups(settings, now)],
    ["mail server", () => checkMailServer(settings)],
    ["letters", () => checkEmails(settings, now)],
  ];
  for (const [name, check] of checks) {
    try {
      yield* await check();
    } catch (error) {
      const { message } = error as Error;
      yield fail(name, `cannot be looked into: ${message}`, otherAccount);
    }
  }
}

const otherAccount =
  "run this command as the account that the program runs under, on the same machine";
