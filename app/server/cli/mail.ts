import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { capitalised } from "../../domain/capitalised.ts";
import { email } from "../config/rules.ts";
import { variableOf } from "../config/settings-table.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";

export function addMail(root: Command, installation: Installation): void {
  root
    .command("mail")
    .description("test the mail server")
    .command("test <address>")
    .description("send a test email now; succeeds only if the mail server accepts it")
    .action((address: string) => sendTest(installation, address));
}

async function sendTest({ readConfig }: Installation, address: string): Promise<void> {
  if (!email.safeParse(address).success) {
    throw new CommandFailed(`${address} is not an email address.`, exitCodes.usage);
  }
  const { mail, brand } = await readConfig();
  if (!mail) {
    const message = `No mail server is set (${variableOf("MAIL_URL")}).`;
    throw new CommandFailed(message, exitCodes.configuration);
  }
  const { openTransport, tlsProblem } = await import("../email/transport.ts");
  const transport = openTransport(mail.url);
  try {
    await transport.send({
      from: mail.from,
      to: [address],
      replyTo: mail.from,
      subject: `A test email from ${brand.name}`,
      text: `This email was sent by command to check that emails arrive.\n\nNothing needs to be done.\n`,
      messageId: randomUUID(),
      date: new Date(),
    });
  } catch (error) {
    const problem = tlsProblem(error);
    const message = problem
      ? `${problem.reason}. ${capitalised(problem.remedy)}`
      : (error as Error).message;
    const exitCode = !problem && isTemporary(error) ? exitCodes.temporary : exitCodes.failed;
    throw new CommandFailed(`The email was not accepted: ${message}`, exitCode);
  } finally {
    transport.close();
  }
  process.stderr.write(`The email to ${address} was accepted.\n`);
}

/** A 5xx reply or a rejected sign-in is final; any other error may be temporary. */
function isTemporary(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === undefined ? code !== "EAUTH" : responseCode < 500;
}
