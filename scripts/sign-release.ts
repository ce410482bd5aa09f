import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Signs the SHA256SUMS of a folder, as SHA256SUMS.sig, if there is an SSH key.
 * @param keyFile the private key, with its public key beside it as .pub; undefined to leave the file unsigned
 * @returns what was done, for the person who makes the release
 */
export function signRelease(folder: string, keyFile: string | undefined): string {
  if (!keyFile) return "SHA256SUMS is not signed: RELEASE_SIGNING_KEY names no key.";
  const key = path.resolve(keyFile);
  execFileSync("ssh-keygen", ["-Y", "sign", "-n", "file", "-f", key, "SHA256SUMS"], {
    cwd: folder,
    // The key may need a passphrase, which is asked for on the terminal.
    stdio: ["inherit", "ignore", "inherit"],
  });
  const [type, publicKey] = readFileSync(`${key}.pub`, "utf8").trim().split(" ");
  return `SHA256SUMS is signed. The line of docs/allowed_signers that verifies it:\nrelease namespaces="file" ${type} ${publicKey}`;
}
