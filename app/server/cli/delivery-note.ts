import type { Config } from "../config/load-config.ts";
import { variableOf } from "../config/settings-table.ts";

/** Says when an email in the outbox is sent. */
export function deliveryNote({ mail }: Pick<Config, "mail">, isTest: boolean): string {
  if (isTest) return "It is a test, so its email is on hold.";
  return mail
    ? "A running server sends the email within a minute."
    : `The email is sent once a mail server is set (${variableOf("MAIL_URL")}).`;
}
