import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Makes a certificate for localhost, signed by itself. Returns the key, the certificate and the certificate's path.
 * @param name of both files, before their endings
 */
export function certificateIn(folder: string, name = "own") {
  const [keyFile, certFile] = [`${name}.key`, `${name}.pem`].map((file) => path.join(folder, file));
  execFileSync(
    "openssl",
    [
      ..."req -x509 -newkey rsa:2048 -noenc -days 2 -subj /CN=localhost -addext".split(" "),
      ...["subjectAltName=DNS:localhost", "-keyout", keyFile!, "-out", certFile!],
    ],
    { stdio: "ignore" },
  );
  return {
    tls: { key: readFileSync(keyFile!), cert: readFileSync(certFile!) },
    certFile: certFile!,
  };
}
