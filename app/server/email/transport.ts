import { access, constants, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { makeFolder } from "#db/engine.ts";
import { normaliseAddress } from "../../domain/subscriber.ts";
import { nearestExisting } from "../config/nearest-existing.ts";
import { trustedAuthorities } from "../system/trusted-authorities.ts";

/** An email with all its headers, ready to be sent. */
export interface OutgoingEmail {
  from: string;
  to: string[];
  /** Undefined if the stored address for replies is not valid. */
  replyTo: string | undefined;
  subject: string;
  text: string;
  messageId: string;
  date: Date;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: Buffer }[];
}

/** What the mail server has decided about the recipients of an email. */
export interface Delivery {
  /** The recipients for whom the server has accepted the email. */
  acceptedBy: string[];
  /** The server's rejections of other recipients. */
  rejections: { recipient: string; message: string; code?: string; responseCode?: number }[];
}

export interface Transport {
  /**
   * Resolves once the server (or the folder) has the email for at least one of its recipients; rejects if it has the
   * email for none.
   */
  send(email: OutgoingEmail): Promise<Delivery>;
  /** Rejects if no email can be sent: server unreachable, sign-in rejected, folder not writable. */
  verify(): Promise<void>;
  close(): void;
}

/** A transport for `smtp:`, `smtps:` or, for sites without internet, `file:FOLDER`, which gets .eml files. */
export function openTransport(url: string): Transport {
  return url.startsWith("file:") ? folderTransport(url.slice("file:".length)) : smtpTransport(url);
}

/** Max wait for a reply. The connection and the greeting get a third of it each. */
const timeoutMs = 30_000;

function smtpTransport(url: string): Transport {
  const { username, hostname } = new URL(url);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
  const mailer = createTransport({
    url,
    // Send a password to another machine only over TLS, unless the URL says requireTLS=false.
    requireTLS: username !== "" && !isLocal,
    connectionTimeout: timeoutMs / 3,
    greetingTimeout: timeoutMs / 3,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Trust the system's certificates too: an institution's mail server often uses its own
    // authority.
    tls: { ca: trustedAuthorities() },
  });
  return {
    send: async (email) => {
      const { accepted, rejectedErrors = [] } = await mailer.sendMail(toMessage(email));
      const acceptedAddresses = new Set(accepted.map(normaliseAddress));
      return {
        acceptedBy: email.to.filter((address) => acceptedAddresses.has(normaliseAddress(address))),
        rejections: rejectedErrors.map(({ recipient = "", message, code, responseCode }) => ({
          recipient,
          message,
          code,
          responseCode,
        })),
      };
    },
    verify: async () => {
      await mailer.verify();
    },
    close: () => mailer.close(),
  };
}

/** Explains a TLS error, because its own message is in the terms of Node or OpenSSL; undefined for any other error. */
export function tlsProblem(error: unknown): { reason: string; remedy: string } | undefined {
  const { message } = error as Error;
  if (/wrong version number|packet length too long/.test(message)) {
    return {
      reason: "the server does not begin with TLS on this port",
      remedy: "use smtp:// there, or the port of smtps://, often 465",
    };
  }
  if (!/certificate/.test(message)) return undefined;
  if (/expired/.test(message)) {
    const remedy = "renew it on the mail server, or set this machine's clock if it is wrong";
    return { reason: "the server's certificate has expired", remedy };
  }
  return {
    reason: `the server's certificate is not trusted: ${message.split(/[;(]/)[0]!.trim()}`,
    remedy:
      "install its authority on this machine (update-ca-certificates) and restart, or use the name in the certificate",
  };
}

function folderTransport(folder: string): Transport {
  const mailer = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (email) => {
      const { message } = await mailer.sendMail(toMessage(email));
      makeFolder(folder, 0o700);
      const file = path.join(folder, `${email.messageId}.eml`);
      // Write and rename, so that a program that collects the folder never sees a partial email.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      return { acceptedBy: email.to, rejections: [] };
    },
    verify: () => access(nearestExisting(folder), constants.W_OK | constants.X_OK),
    close: () => {},
  };
}

/** Converts an email for nodemailer. Addresses become objects, because nodemailer parses a string as a list of them. */
function toMessage(email: OutgoingEmail) {
  const { from, to, replyTo, subject, text, messageId, date, headers, attachments } = email;
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const address = (value: string) => ({ name: "", address: value });
  return {
    from: address(from),
    to: to.map(address),
    replyTo: replyTo && address(replyTo),
    subject,
    text,
    date,
    headers,
    attachments,
    messageId: `<${messageId}@${domain}>`,
  };
}
