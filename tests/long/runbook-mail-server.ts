/**
 * A mail server on port 587 of the network namespace it is started in. Accepts a password only over
 * TLS; prints a line of JSON for each email.
 */
import { readFileSync } from "node:fs";
import { SMTPServer } from "smtp-server";

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));

const server = new SMTPServer({
  key: key!,
  cert: cert!,
  onAuth({ username, password }, _session, done) {
    if (username === "rubricon" && password === "secret") done(null, { user: username });
    else done(new Error("wrong name or password"));
  },
  onData(stream, session, done) {
    let raw = "";
    stream.on("data", (chunk) => {
      raw += chunk;
    });
    stream.on("end", () => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const subject = /^Subject: (.*)$/m.exec(raw)?.[1];
      // Quoted-printable writes "=" as "=3D", and breaks lines after "=".
      const text = raw.replace(/=\r?\n/g, "");
      const team = /\/team\?link=(?:3D)?([\w-]{43})(?![\w-])/.exec(text)?.[1];
      process.stdout.write(`${JSON.stringify({ to, subject, team })}\n`);
      done();
    });
  },
});
server.listen(587, "127.0.0.1", () => process.stdout.write("listening\n"));
