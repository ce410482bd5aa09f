import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { email } from "../config/rules.ts";
import { variableOf } from "../config/settings-table.ts";
import { openTransport } from "../email/transport.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";
import { printJson } from "./print.ts";

export function addMail(root: Command, installation: Installation): void {
  root
    .command("mail")
    .description("letters, to the team and to educators")
    .command("test <address>")
    .description("send a letter now; 0 only when the mail server has taken it")
    .option("--json", "as JSON")
    .action((address: string, options: { json?: true }) =>
      sendTest(installation, address, options),
    );
}

async function sendTest(
  { readConfig }: Installation,
  address: string,
  { json }: { json?: true },
): Promise<void> {
  if (!email.safeParse(address).success) {
    throw new CommandFailed(`${address} is not an e-mail address.`, exitCodes.usage);
  }
  const { mail, brand } = readConfig();
  if (!mail) {
    const message = `No mail server is set: ${variableOf("MAIL_URL")}.`;
    throw new CommandFailed(message, exitCodes.configuration);
  }
  const transport = openTransport(mail.url, mail.timeoutMs);
  try {
    await transport.send({
      from: mail.from,
      to: [address],
      replyTo: mail.from,
      subject: `A test letter from ${brand.name}`,
      text: `This letter was sent by hand to see that letters arrive.\n\nNothing needs to be done.\n`,
      messageId: randomUUID(),
      date: new Date(),
    });
  } catch (error) {
    const { message } = error as Error;
    const exitCode = mayPass(error) ? exitCodes.temporary : exitCodes.failed;
    throw new CommandFailed(`The letter was not taken: ${message}`, exitCode);
  } finally {
    transport.close();
  }
  if (json) printJson({ taken: address });
  process.stderr.write(`The letter to ${address} was taken.\n`);
}

/** A mail server's 5xx is its last word; whatever else goes wrong on the way may go well later. */
function mayPass(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === undefined ? code !== "EAUTH" : responseCode < 500;
}
