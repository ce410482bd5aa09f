import { access, constants, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { getCACertificates, rootCertificates } from "node:tls";
import { createTransport } from "nodemailer";
import { makeFolder } from "#db/sqlite/make-folder.ts";
import { nearestExisting } from "../config/nearest-folder.ts";

export interface Envelope {
  from: string;
  to: string[];
  replyTo: string;
  subject: string;
  text: string;
  messageId: string;
  date: Date;
}

export interface Transport {
  /** Resolves once the server (or the folder) has the letter. */
  send(envelope: Envelope): Promise<void>;
  /** Rejects where a letter would fail before its first word: nobody there, name or password refused. */
  verify(): Promise<void>;
  close(): void;
}

/**
 * @param url `smtp:`, `smtps:`, or `file:FOLDER` for sites without internet, which writes .eml files
 * @param patienceMs how long a server may be silent; a connection and a greeting take a third of that at most
 */
export function openTransport(url: string, timeoutMs: number): Transport {
  return url.startsWith("file:")
    ? folderTransport(url.slice("file:".length))
    : smtpTransport(url, timeoutMs);
}

function smtpTransport(url: string, timeoutMs: number): Transport {
  const { username, hostname } = new URL(url);
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
  const mailer = createTransport({
    url,
    // No other machine is told a password in the open, unless the address itself says requireTLS=false.
    requireTLS: username !== "" && !isThisMachine,
    connectionTimeout: timeoutMs / 3,
    greetingTimeout: timeoutMs / 3,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // An institution's mail server often has a certificate of the institution's own.
    tls: { ca: [...rootCertificates, ...getCACertificates("system")] },
  });
  return {
    send: async (envelope) => {
      await mailer.sendMail(asMessage(envelope));
    },
    verify: async () => {
      await mailer.verify();
    },
    close: () => mailer.close(),
  };
}

function folderTransport(folder: string): Transport {
  const mailer = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (envelope) => {
      const { message } = await mailer.sendMail(asMessage(envelope));
      makeFolder(folder, 0o700);
      const file = path.join(folder, `${envelope.messageId}.eml`);
      // Whoever collects the folder never meets half a letter.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
    verify: () => access(nearestExisting(folder), constants.W_OK | constants.X_OK),
    close: () => {},
  };
}

/** Addresses go in object form: nodemailer would read a string as a list and expand it. */
function asMessage(envelope: Envelope) {
  const { from, to, replyTo, subject, text, messageId, date } = envelope;
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const address = (value: string) => ({ name: "", address: value });
  return {
    from: address(from),
    to: to.map(address),
    replyTo: address(replyTo),
    subject,
    text,
    date,
    messageId: `<${messageId}@${domain}>`,
  };
}
