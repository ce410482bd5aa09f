import type { Brand } from "../../brand.ts";
import { readBrand } from "../content/brand.ts";
import { type ContentFiles, contentFiles } from "../content/built-in-files.ts";
import type { MailSettings } from "../email/outbox-worker.ts";
import { type Settings, settingsFrom } from "./settings.ts";
import { SettingsError } from "./settings-error.ts";
import { type Flags, gather } from "./sources.ts";

/** All that the program is told: its settings, and the brand and content that they lead to. */
export interface Config extends Omit<Settings, "mail" | "contentDir" | "brandSettings"> {
  mail: MailSettings | undefined;
  brand: Brand;
  /** The Markdown and YAML that is served. */
  content: ContentFiles;
}

/**
 * Reads the settings, all of them or none.
 * @throws WrongSettings
 */
export function readSettings(flags: Flags): Settings {
  const gathered = gather(flags);
  const settings = settingsFrom(gathered);
  if (gathered.faults.length > 0) throw new SettingsError(gathered.faults);
  return settings;
}

/** @throws WrongContent */
export function configFrom(settings: Settings): Config {
  const { mail, contentDir, brandSettings, ...rest } = settings;
  const content = contentFiles(contentDir);
  const brand = readBrand(content, brandSettings);
  return { ...rest, mail: mail && addressed(mail, brand.email), brand, content };
}

function addressed(mail: NonNullable<Settings["mail"]>, email: string): MailSettings {
  const to = mail.to.length > 0 ? mail.to : [email];
  return { ...mail, to, from: mail.from ?? to[0]! };
}
