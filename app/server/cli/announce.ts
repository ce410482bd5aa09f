import { newToken, type Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { Announcement } from "../../domain/subscriber.ts";
import { subscriptionPath } from "../../site.ts";
import type { Config } from "../config/load-config.ts";
import { variableOf } from "../config/settings-table.ts";
import { announcementEmail } from "../email/visitor-emails.ts";
import { confirm } from "./confirm.ts";
import { CommandFailed, exitCodes } from "./exit.ts";

export interface AnnounceOptions {
  yes?: true;
  dryRun?: true;
}

/** Time between two emails: mail servers limit emails per minute, and other emails are sent in between. */
const intervalMs = 1000;

/** Puts an email about an article into the outbox for each confirmed subscriber. */
export async function announce(
  store: Store,
  config: Config,
  slug: string,
  options: AnnounceOptions,
): Promise<void> {
  const { publicUrl } = config;
  if (!publicUrl) {
    throw new CommandFailed(
      `Set ${variableOf("PUBLIC_URL")}: the links in the emails begin with it.`,
      exitCodes.configuration,
    );
  }
  const email = await composeFor(config, slug, publicUrl);
  const subscribers = (await store.listSubscriptions()).filter(
    ({ confirmedAt, spam, isTest }) => confirmedAt !== null && spam === null && !isTest,
  );
  const count = subscribers.length;
  const consequence = `${counted(count, "subscriber")} will get “${slug}” by email.`;
  if (options.dryRun) {
    const { subject, body } = email;
    process.stderr.write(`${consequence} Nothing was sent.\n\n${subject}\n\n${body}`);
    return;
  }
  if (count === 0) throw new CommandFailed("No subscriber has confirmed an address yet.");
  await confirm(consequence, options.yes);
  const now = new Date();
  const announcements = subscribers.map(({ email: address }, index): Announcement => {
    const token = newToken();
    const link = `${publicUrl}${subscriptionPath}?token=${token}`;
    const dueAt = new Date(now.getTime() + index * intervalMs);
    return { address, token, link, email, dueAt };
  });
  const earlier = await store.announce(slug, announcements, now);
  if (earlier)
    throw new CommandFailed(`“${slug}” was announced already, on ${zonedTime(earlier)}.`);
  const sending = config.mail
    ? "A running server begins within a minute and sends one a second."
    : `Sending begins once a mail server is set (${variableOf("MAIL_URL")}).`;
  process.stderr.write(`${counted(count, "email")} put into the outbox. ${sending}\n`);
}

/** Returns the email about an article. @throws CommandFailed if there is no such article */
async function composeFor(config: Config, slug: string, publicUrl: string) {
  const { readContent } = await import("../content/read-content.ts");
  const { senderOf } = await import("../config/load-config.ts");
  const { articles } = readContent(config);
  const article = articles.find((one) => one.slug === slug);
  if (!article) throw new CommandFailed(`There is no article “${slug}”.`);
  const { title, excerpt } = article;
  return announcementEmail({ title, excerpt, url: `${publicUrl}/${slug}` }, senderOf(config));
}
