/**
 * Emails to visitors and subscribers. They contain nothing that was typed into a form, so that a form cannot
 * be used to send text to a stranger.
 */
import type { Email, VisitorEmailLimits } from "../../domain/email.ts";
import { confirmationDays } from "../../domain/service.ts";
import { fromTeam, linkPlaceholder, type Sender } from "./compose.ts";

/**
 * Max emails of each kind to visitors within a day: to one mailbox, since anyone may type a stranger's address, and in
 * all, so that a flood does not ruin the reputation of the mail server.
 */
export const visitorEmailLimits: VisitorEmailLimits = { perMailbox: 3, all: 500 };

/** Max acknowledgements and confirmations together that a client can cause in a day, so that it cannot use up `all`. */
export const maxVisitorEmailsPerClient = 20;

type VisitorEmail = Email & { recipient: string };

/** Returns the email that says that a request was received. @param receivedText may also say when the team replies */
export function acknowledgementEmail(
  {
    reference,
    recipient,
    receivedText,
  }: { reference: string; recipient: string; receivedText: string },
  sender: Sender,
): VisitorEmail {
  return fromTeam(sender, {
    subject: `we have received your request ${reference}`,
    recipient,
    body: `${receivedText}

Your reference is ${reference}. Please quote it if you write to us again. A reply to this email reaches our team.

If you have sent us nothing, your address was typed by mistake, and you can ignore this email.
`,
  });
}

export function confirmationEmail(recipient: string, sender: Sender): VisitorEmail {
  return fromTeam(sender, {
    subject: "please confirm your subscription",
    recipient,
    body: `This address was entered to receive new articles of our blog. If that was you, please confirm it:

${linkPlaceholder}

If not, you can ignore this email: without a confirmation the address is deleted after ${confirmationDays} days.
`,
  });
}

export function announcementEmail(
  article: { title: string; excerpt: string; url: string },
  sender: Sender,
): Email {
  const { title, excerpt, url } = article;
  return fromTeam(sender, {
    subject: title,
    body: `${title}

${excerpt}

${url}

You get this email because you subscribed to new articles of our blog. To unsubscribe:
${linkPlaceholder}
`,
  });
}

/** Headers by which mail programs offer to unsubscribe with one click (RFC 8058). */
export const unsubscribeHeaders = (link: string) => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Header that keeps automatic replies from replying (RFC 3834). */
export const automaticHeaders = { "Auto-Submitted": "auto-generated" };
