import type { Brand } from "../../brand.ts";
import {
  contentFiles,
  type FoundContent,
  hasOwnArticles,
  withoutBuiltInBlog,
} from "../content/built-in-files.ts";
import { readBrand } from "../content/read-brand.ts";
import type { Sender } from "../email/compose.ts";
import type { MailSettings } from "../email/delivery.ts";
import type { Settings } from "./settings.ts";

/** The settings, with the brand and the content files that they name. */
export interface Config extends Omit<Settings, "mail" | "contentDir" | "brandSettings"> {
  mail: MailSettings | undefined;
  brand: Brand;
  content: FoundContent;
}

/**
 * Reads the brand and content files that the settings name.
 * @throws ContentError
 */
export function loadConfig(settings: Settings): Config {
  const { mail, contentDir, brandSettings, ...rest } = settings;
  const found = contentFiles(contentDir);
  const { files } = found;
  const { brand, warnings } = readBrand(files, brandSettings);
  // Built-in articles speak in the name of the built-in brand, so another brand serves only its own articles.
  const isBlogServed = brand.isBuiltIn || hasOwnArticles(contentDir);
  const content = {
    files: isBlogServed ? files : withoutBuiltInBlog(files),
    warnings: [...found.warnings, ...warnings],
  };
  return { ...rest, mail: mail && withAddresses(mail, brand.email), brand, content };
}

/** Every mail domain has this mailbox (RFC 5321). Used if neither MAIL_TO nor the brand has an address. */
const postmaster = "postmaster@localhost";

/** Returns the sender's name for emails, and the team's address for replies. */
export const senderOf = ({ mail, brand }: Pick<Config, "mail" | "brand">): Sender => ({
  productName: brand.name,
  team: mail?.to[0] ?? (brand.email || postmaster),
});

/** Adds a missing recipient, which only emails to a folder may lack, and a missing sender. */
function withAddresses(mail: NonNullable<Settings["mail"]>, brandEmail: string): MailSettings {
  const [first = brandEmail || postmaster, ...others] = mail.to;
  return { ...mail, to: [first, ...others], from: mail.from ?? first };
}
