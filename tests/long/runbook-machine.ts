/** What the administrator provides besides the machine: a certificate and a mail server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { TestContext } from "node:test";
import { atEnd } from "../support/at-end.ts";
import type { Debian } from "../support/debian.ts";

/** Makes the machine trust a test CA, and a certificate of it for the site and the mail server. */
export async function installCertificate(run: (script: string) => Promise<string>): Promise<void> {
  await run(`
    echo '127.0.0.1 marking.school.example mail.school.example' >> /etc/hosts
    cd /root/release
    openssl req -x509 -newkey rsa:2048 -noenc -days 2 -subj '/CN=Test authority' -keyout ca.key -out ca.crt
    openssl req -newkey rsa:2048 -noenc -subj /CN=marking.school.example -keyout marking.key -out marking.csr
    echo subjectAltName=DNS:marking.school.example,DNS:mail.school.example > names
    openssl x509 -req -in marking.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out marking.crt
    cp ca.crt /usr/local/share/ca-certificates/test.crt
    update-ca-certificates`);
}

/**
 * Starts a mail server in the network namespace of a Debian, on this machine. Returns the emails, to which those that
 * arrive later are added; `team` is the token of the link to the team's page, if an email has one.
 */
export async function startMailServer(t: TestContext, { networkNamespacePrefix, root }: Debian) {
  const [program, ...args] = networkNamespacePrefix;
  const script = path.join(import.meta.dirname, "runbook-mail-server.ts");
  const certificate = ["marking.key", "marking.crt"].map((name) =>
    path.join(root, "root/release", name),
  );
  const child = spawn(program!, [...args, process.execPath, script, ...certificate], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  atEnd(t, () => child.kill());
  const emails: { to: string[]; subject: string; team?: string }[] = [];
  child.stdout.setEncoding("utf8");
  await once(child.stdout, "data");
  let rest = "";
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    emails.push(...lines.map((line) => JSON.parse(line)));
  });
  return emails;
}
