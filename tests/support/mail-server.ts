import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { atEnd, type Scope } from "./at-end.ts";

export interface ReceivedEmail extends Email {
  /** Recipients of the SMTP envelope. */
  recipients: string[];
  raw: string;
}

interface MailServer {
  url: string;
  port: number;
  emails: ReceivedEmail[];
  /** User names of all attempts to sign in. */
  signIns: string[];
}

/**
 * Starts a real SMTP server that collects the emails it receives.
 * @param reject rejects an email if it returns true (with 451) or a response code
 * @param rejectRecipient rejects a recipient with 550 if it returns true
 * @param acceptsPassword default: any password
 * @param secure speaks TLS from the first byte; the returned URL does not say so
 */
export async function startMailServer(
  t: Scope,
  {
    reject = () => false,
    rejectRecipient = () => false,
    acceptsPassword = () => true,
    secure = false,
  }: {
    reject?: () => boolean | number;
    rejectRecipient?: (address: string) => boolean;
    acceptsPassword?: (password: string | null | undefined) => boolean;
    secure?: boolean;
  } = {},
): Promise<MailServer> {
  const emails: ReceivedEmail[] = [];
  const signIns: string[] = [];
  const server = new SMTPServer({
    secure,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      signIns.push(username!);
      if (acceptsPassword(password)) done(null, { user: username });
      else done(Object.assign(new Error("wrong name or password"), { responseCode: 535 }));
    },
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (!rejectRecipient(address)) done();
      else done(Object.assign(new Error(`no such user ${address}`), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const rejection = reject();
        if (rejection) {
          const responseCode = rejection === true ? 451 : rejection;
          done(Object.assign(new Error("email rejected"), { responseCode }));
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        emails.push({ ...(await PostalMime.parse(raw)), recipients, raw });
        done();
      });
    },
  });
  // Without a listener the errors of clients that disconnect or speak no TLS would end the test.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  atEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${address.port}`, port: address.port, emails, signIns };
}
