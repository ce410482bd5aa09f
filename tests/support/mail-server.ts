import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { atEnd } from "./at-end.ts";

export interface ReceivedEmail extends Email {
  /** The addresses of the envelope, which decide where it goes. */
  recipients: string[];
  raw: string;
}

export interface MailServer {
  url: string;
  port: number;
  emails: ReceivedEmail[];
  /** Names that somebody has given with a password. */
  signIns: string[];
}

/**
 * A real SMTP server that keeps what it is given, and lets in whoever gives a name and password.
 * `refuse` makes it turn letters down, with a 451 or the code it returns; `admits` lets in those with that
 * password alone; `secure` makes it speak TLS from the first byte.
 */
export async function startMailServer(
  t: TestContext,
  {
    port = 0,
    refuse = () => false,
    admits = () => true,
    secure = false,
  }: {
    port?: number;
    refuse?: () => boolean | number;
    admits?: (password: string | null | undefined) => boolean;
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
      if (admits(password)) done(null, { user: username });
      else done(Object.assign(new Error("wrong name or password"), { responseCode: 535 }));
    },
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const rejection = refuse();
        if (rejection) {
          const responseCode = rejection === true ? 451 : rejection;
          done(Object.assign(new Error("not this letter"), { responseCode }));
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        emails.push({ ...(await PostalMime.parse(raw)), recipients, raw });
        done();
      });
    },
  });
  // A client that breaks off, or speaks no TLS where it should, is what some tests are about.
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  atEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${address.port}`, port: address.port, emails, signIns };
}
